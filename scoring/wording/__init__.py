"""The words for actions, figures, boards and rules. Sentences are made from data when a page shows them."""
