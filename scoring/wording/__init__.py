"""What is said of actions, figures, boards and rules; every sentence is made here, from data, where it is shown."""
