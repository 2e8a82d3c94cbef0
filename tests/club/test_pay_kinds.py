"""Each way to be paid: what may be typed, what is refused, and what its links and codes hold."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import segno

from scoring.club.pay_kinds import KINDS, LONGEST, Bill, br_code, epc_text, swish_code
from scoring.game.errors import LedgerError
from scoring.models import PayAddress

Kind = PayAddress.Kind
EVP = "123e4567-e12b-12d1-a456-426655440000"
"""The key in the examples of the Banco Central do Brasil."""


def bill(**changes: Any) -> Bill:
    """Anna is owed 12.50 euros of a Friday."""
    return Bill(**{"payee": "Anna", "amount": 1250, "currency": "EUR", "minor_digits": 2, "note": "Friday", **changes})


def same(one: segno.QRCode | None, other: segno.QRCode) -> bool:
    return one is not None and one.matrix == other.matrix


def test_every_kind_of_the_table_is_known_here() -> None:
    assert list(KINDS) == list(Kind)


@pytest.mark.parametrize(
    ("kind", "typed", "kept"),
    [
        (Kind.IBAN, "DE89370400440532013000", "DE89370400440532013000"),
        (Kind.IBAN, " de89 3704 0044 0532 0130 00 ", "DE89370400440532013000"),
        (Kind.IBAN, "GB82-WEST-1234-5698-7654-32", "GB82WEST12345698765432"),
        (Kind.PAYPAL, "Anna", "Anna"),
        (Kind.PAYPAL, "@Anna", "Anna"),
        (Kind.PAYPAL, "paypal.me/Anna", "Anna"),
        (Kind.PAYPAL, "https://www.paypal.me/Anna", "Anna"),
        (Kind.PAYPAL, "HTTPS://PayPal.Me/Anna/", "Anna"),
        (Kind.PAYPAL, "https://www.paypal.com/paypalme/Anna", "Anna"),
        (Kind.PAYPAL, "https://paypal.me/Anna?country.x=DE&locale.x=de_DE", "Anna"),
        (Kind.VENMO, "@Anna-Lee_1", "Anna-Lee_1"),
        (Kind.VENMO, "https://venmo.com/u/Anna-Lee", "Anna-Lee"),
        (Kind.VENMO, "venmo.com/Anna-Lee", "Anna-Lee"),
        (Kind.VENMO, "https://account.venmo.com/u/Anna-Lee", "Anna-Lee"),
        (Kind.REVOLUT, "@anna1", "anna1"),
        (Kind.REVOLUT, "https://revolut.me/anna1", "anna1"),
        (Kind.SWISH, "070-123 45 67", "0701234567"),
        (Kind.SWISH, "+46 70 123 45 67", "0701234567"),
        (Kind.SWISH, "0046 (0)70 123 45 67", "0701234567"),
        (Kind.SWISH, "123 785 69 01", "1237856901"),
        (Kind.UPI, "Anna.Lee-1@okAxis", "anna.lee-1@okaxis"),
        (Kind.UPI, "9876543210@ybl", "9876543210@ybl"),
        (Kind.PIX, "390.533.447-05", "39053344705"),
        (Kind.PIX, "16.727.230/0001-97", "16727230000197"),
        (Kind.PIX, "+55 (61) 91234-5678", "+5561912345678"),
        (Kind.PIX, "Anna@Example.com", "anna@example.com"),
        (Kind.PIX, EVP.upper(), EVP),
        (Kind.LIGHTNING, "Anna@Wallet.example", "anna@wallet.example"),
        (Kind.LIGHTNING, "lightning:anna+table@wallet.example", "anna+table@wallet.example"),
        (Kind.TEXT, "  Cash,  or  the coffee machine ", "Cash, or the coffee machine"),
        (Kind.TEXT, "https://evil.example", "https://evil.example"),  # a text, never a link
    ],
)
def test_what_may_be_typed_is_kept_in_one_form(kind: Kind, typed: str, kept: str) -> None:
    assert KINDS[kind].read(typed) == kept
    assert KINDS[kind].read(kept) == kept


@pytest.mark.parametrize("mark", ["\u202e", "\u200f", "\u2066", "\u200b", "\ufeff", "\x00"])
@pytest.mark.parametrize(
    ("kind", "typed"), [(Kind.PAYPAL, "An{}na"), (Kind.SWISH, "{}0701234567"), (Kind.TEXT, "An{}na")]
)
def test_marks_that_nobody_sees_are_dropped(kind: Kind, typed: str, mark: str) -> None:
    assert KINDS[kind].read(typed.format(mark)) == typed.format("")


OTHER_HOSTS = [
    "javascript:alert(1)",
    "data:text/html,x",
    "https://evil.example/Annalee",
    "https://paypal.me@evil.example/Annalee",
    "https://venmo.com@evil.example/Annalee",
    "https://evil.example/paypal.me/Annalee",
    "https://paypal.me.evil.example/Annalee",
    "https://paypalXme/Annalee",
    "//paypal.me/Annalee",
    "ftp://paypal.me/Annalee",
    "https://user:secret@paypal.me/Annalee",
    "https://paypal.me:444/Annalee",
    "https://paypal.me\\@evil.example",
    "https://paypal.me/Annalee/../../evil",
    "https://paypal.me/Annalee#evil",
    "https://paypal.me/Annalee?next=https://evil.example",
    "https://venmo.com/Annalee?txn=pay&note=<b>",
    "https://revolut.me/",
    "paypal.me",
    "Annalee\nBcc: evil@evil.example",
    "Anna lee",
    "Annalee%2f..",
    "<script>",
    "\u0410nnalee",  # a Cyrillic A
    "Anna\u017fee",  # a long s, which is an s where case does not matter
    "Annalee;1;2",
    "x" * 10_000,
    "",
    "\u202e",
]


@pytest.mark.parametrize("typed", OTHER_HOSTS)
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind != Kind.TEXT])
def test_nothing_but_a_known_form_at_a_known_host_is_taken(kind: Kind, typed: str) -> None:
    with pytest.raises(LedgerError) as refused:
        KINDS[kind].read(typed)
    (problem,) = refused.value.problems
    assert problem.where == "value"
    assert problem.message.endswith(".")
    assert "evil" not in problem.message


@pytest.mark.parametrize(
    ("kind", "typed", "said"),
    [
        (
            Kind.IBAN,
            "DE88 3704 0044 0532 0130 00",
            "This is no IBAN: its check digits do not fit. Check what was typed.",
        ),
        (Kind.IBAN, "DE8937040044053201300", "This is no IBAN: its check digits do not fit. Check what was typed."),
        (Kind.IBAN, "XX90000000000", "This is no IBAN: no country has one of this form. Check what was typed."),
        (Kind.IBAN, "0532013000", "An IBAN begins with the two letters of a country"),
        (Kind.PAYPAL, "anna@example.com", "Enter the name in your PayPal.me link, such as paypal.me/Anna"),
        (Kind.VENMO, "Anna", "Enter the Venmo username"),
        (Kind.REVOLUT, "a", "Enter the Revolut username"),
        (Kind.SWISH, "08 123 45 67", "Enter a Swedish mobile number"),
        (Kind.UPI, "anna@evil.example", "Enter a UPI ID, such as"),
        (Kind.PIX, "390.533.447-06", "This is no PIX key: its check digits do not fit."),
        (Kind.PIX, "16.727.230/0001-98", "This is no PIX key: its check digits do not fit."),
        (Kind.PIX, "61912345678", "This is no PIX key: its check digits do not fit. A phone number begins with +55."),
        (Kind.PIX, "anna", "Enter a PIX key"),
        (Kind.LIGHTNING, "anna@localhost", "Enter a Lightning address, such as"),
        (Kind.LIGHTNING, "lnbc1pvjluez", "Enter a Lightning address, such as"),
        (Kind.TEXT, " \u200b ", "Say how they like to be paid."),
        (Kind.TEXT, "x" * (LONGEST + 1), f"Use at most {LONGEST} characters."),
    ],
)
def test_a_refusal_says_what_is_wanted(kind: Kind, typed: str, said: str) -> None:
    with pytest.raises(LedgerError) as refused:
        KINDS[kind].read(typed)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        (Kind.LIGHTNING, "a" * 300 + "@wallet.example"),
        (Kind.UPI, "a" * 300 + "@ybl"),
        (Kind.PIX, "a" * 300 + "@example.com"),
        (Kind.PIX, "a" * 66 + "@example.com"),  # 78 letters: a key has 77 at most
    ],
)
def test_a_long_address_is_refused(kind: Kind, address: str) -> None:
    with pytest.raises(LedgerError):
        KINDS[kind].read(address)


# --- Links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "address", "of", "link"),
    [
        (Kind.PAYPAL, "Anna", {}, "https://paypal.me/Anna/12.50EUR"),
        (Kind.PAYPAL, "Anna", {"amount": 5}, "https://paypal.me/Anna/0.05EUR"),
        (Kind.PAYPAL, "Anna", {"currency": "HUF", "amount": 125000}, "https://paypal.me/Anna/1250HUF"),
        (Kind.PAYPAL, "Anna", {"currency": "HUF", "amount": 125050}, "https://paypal.me/Anna"),
        (Kind.PAYPAL, "Anna", {"currency": "RUB"}, "https://paypal.me/Anna"),
        (Kind.VENMO, "Anna-Lee", {"currency": "USD"}, "https://venmo.com/Anna-Lee?txn=pay&amount=12.50&note=Friday"),
        (Kind.VENMO, "Anna-Lee", {}, "https://venmo.com/Anna-Lee"),
        (Kind.REVOLUT, "anna1", {}, "https://revolut.me/anna1"),
        (Kind.LIGHTNING, "anna@wallet.example", {}, "lightning:anna@wallet.example"),
        (Kind.UPI, "anna@ybl", {"currency": "INR"}, "upi://pay?pa=anna@ybl&pn=Anna&am=12.50&cu=INR&tn=Friday"),
        (Kind.UPI, "anna@ybl", {}, ""),
        (Kind.IBAN, "DE89370400440532013000", {}, ""),
        (Kind.SWISH, "0701234567", {"currency": "SEK"}, ""),
        (Kind.PIX, EVP, {"currency": "BRL"}, ""),
        (Kind.TEXT, "https://evil.example", {}, ""),
    ],
)
def test_links_are_made_from_the_address(kind: Kind, address: str, of: dict[str, Any], link: str) -> None:
    card = KINDS[kind].card(address, bill(**of))
    assert card.link == link
    if link:
        assert card.filled == ("12" in link or "0.05" in link)
        assert same(card.code, segno.make(link, error="m", micro=False))


HOSTILE = "A&amount=1#?/\\%00 \u00e9\n<b>\"'\u202e;"


def test_what_stands_in_a_name_or_a_note_stays_in_its_place() -> None:
    venmo = KINDS[Kind.VENMO].card("Anna-Lee", bill(currency="USD", note=HOSTILE)).link
    assert parse_qs(urlsplit(venmo).query) == {"txn": ["pay"], "amount": ["12.50"], "note": [HOSTILE]}
    upi = KINDS[Kind.UPI].card("anna@ybl", bill(currency="INR", note=HOSTILE, payee=HOSTILE)).link
    found = parse_qs(urlsplit(upi).query)
    assert found == {"pa": ["anna@ybl"], "pn": [HOSTILE], "am": ["12.50"], "cu": ["INR"], "tn": [HOSTILE]}


def test_a_note_is_cut_to_what_the_service_takes() -> None:
    upi = KINDS[Kind.UPI].card("anna@ybl", bill(currency="INR", note="n" * 80)).link
    assert upi.endswith("&tn=" + "n" * 50)
    assert swish_code("0701234567", "1.00", "n" * 80) == f"C0701234567;1,00;{'n' * 50};0"


# --- What codes hold --------------------------------------------------------------------------------------------------


def test_the_code_for_a_bank_is_that_of_the_european_payments_council() -> None:
    card = KINDS[Kind.IBAN].card("DE89370400440532013000", bill())
    lines = ["BCD", "002", "1", "SCT", "", "Anna", "DE89370400440532013000", "EUR12.5", "", "", "Friday"]
    assert card.text == "\n".join(lines)
    assert card.filled
    assert same(card.code, segno.make_qr(card.text.encode(), error="m", boost_error=False))


@pytest.mark.parametrize("account", ["TR330006100519786457841326", "CH9300762011623852957", "GB82WEST12345698765432"])
def test_an_account_that_no_code_reaches_without_a_bic_has_none(account: str) -> None:
    card = KINDS[Kind.IBAN].card(account, bill())
    assert (card.address, card.code, card.filled) == (account, None, False)


@pytest.mark.parametrize(("amount", "said"), [("100.00", "EUR100"), ("0.01", "EUR0.01"), ("10.10", "EUR10.1")])
def test_an_amount_of_euros_has_no_idle_digits(amount: str, said: str) -> None:
    assert said in epc_text("Anna", "DE89370400440532013000", amount, "Friday").split("\n")


def test_the_longest_names_fit_into_the_code_for_a_bank() -> None:
    """Its content has 331 bytes at most."""
    card = KINDS[Kind.IBAN].card(
        "MT84MALT011000012345MTLCAST001S",
        bill(payee="\U0001f469" * 40, note="\U0001f680\n" * 80, amount=99_999_999_999),
    )
    assert len(card.text.encode()) <= 331
    assert len(card.text.split("\n")) == 11
    assert same(card.code, segno.make_qr(card.text.encode(), error="m", boost_error=False))


def test_the_code_of_swish_is_that_of_its_manual() -> None:
    assert swish_code("1237856901", "100.00", "12229445") == "C1237856901;100,00;12229445;0"
    assert swish_code("0701234567", "9.00", "L\u00f6rdag & caf\u00e9; sen") == (
        "C0701234567;9,00;L%C3%B6rdag%20%20cafe%20sen;0"
    )
    card = KINDS[Kind.SWISH].card("0701234567", bill(currency="SEK"))
    assert same(card.code, segno.make("C0701234567;12,50;Friday;0", error="m", micro=False))
    assert card.filled


def test_the_code_of_pix_is_that_of_the_banco_central() -> None:
    """Its manual has this example, with the city of Brasília and without an amount."""
    example = (
        "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal"
        "6008BRASILIA62070503***63041D3D"
    )
    assert br_code(EVP, "", "Fulano de Tal", "", city="BRASILIA") == example


def test_the_code_of_pix_has_the_amount_and_the_session() -> None:
    card = KINDS[Kind.PIX].card("anna@example.com", bill(currency="BRL", payee="Jo\u00e3o da Silva e Souza Pereira"))
    assert card.text.startswith("000201" + "2648" + "0014br.gov.bcb.pix" + "0116anna@example.com" + "0206Friday")
    assert "540512.50" in card.text
    assert "5925Joao da Silva e Souza Per" in card.text
    assert same(card.code, segno.make(card.text, error="m", micro=False))
    assert card.filled


def test_what_pix_cannot_write_is_left_out() -> None:
    """A field has at most 99 letters, all of them ASCII, and a receiver without a name is none."""
    text = br_code("a" * 65 + "@example.com", "1.00", "\u9ebb\u96c0", "\u9ebb\u96c0 Friday night " * 9)
    assert text.isascii()
    assert text[6:10] == "2699"
    assert text[109:113] == "5204"  # the next field, so that the length is right
    assert "5903Pix" in text
    assert br_code(EVP, "1.00", "Anna", "\u9ebb\u96c0") == br_code(EVP, "1.00", "Anna", "")


@pytest.mark.parametrize(
    "of",
    [
        {"currency": "chips", "minor_digits": 0},
        {"currency": "JPY", "minor_digits": 0},
        {"minor_digits": 0},
        {"minor_digits": 3},
        {"amount": 0},
        {"amount": -5},
        {"amount": 100_000_000_000},
    ],
)
@pytest.mark.parametrize("kind", list(Kind))
def test_an_amount_that_would_make_no_sense_is_left_out(kind: Kind, of: dict[str, Any]) -> None:
    address = {
        Kind.IBAN: "DE89370400440532013000", Kind.PAYPAL: "Anna", Kind.VENMO: "Anna-Lee", Kind.REVOLUT: "anna1",
        Kind.SWISH: "0701234567", Kind.UPI: "anna@ybl", Kind.PIX: EVP, Kind.LIGHTNING: "anna@wallet.example",
        Kind.TEXT: "Cash",
    }[kind]  # fmt: skip
    card = KINDS[kind].card(address, bill(**of))
    assert card.address == address
    assert not card.filled
    assert card.text == ""
    assert card.link in {
        "", "https://paypal.me/Anna", "https://venmo.com/Anna-Lee", "https://revolut.me/anna1",
        "lightning:anna@wallet.example",
    }  # fmt: skip
    assert (card.code is None) == (card.link == "")
