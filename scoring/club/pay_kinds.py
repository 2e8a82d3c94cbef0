"""The ways to be paid that a club keeps for its people: what may be typed, and what opens with the amount.

What is kept is never an address of the web, only a name or a number of one known form. Links are made from it, to hosts
that stand here. Nothing is asked of any of these services.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Final
from urllib.parse import quote

import segno
from segno.helpers import make_epc_qr
from stdnum import iban
from stdnum.br import cnpj, cpf
from stdnum.exceptions import InvalidChecksum, InvalidFormat, InvalidLength, ValidationError

from scoring.game.errors import refuse
from scoring.game.limits import PAY_ADDRESS_LENGTH
from scoring.game.text import clean, plain
from scoring.models import PayAddress
from scoring.rules.phrase import Phrase
from scoring.texts import gettext as _
from scoring.texts import pgettext

LONGEST: Final = PAY_ADDRESS_LENGTH
"""The most characters of an address."""

MOST: Final = 99_999_999_999
"""The largest amount of a code, in hundredths: the European Payments Council's, more than anybody plays for."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What is to be paid to ``payee``, in minor units. ``note`` is the session's name."""

    payee: str
    amount: int
    currency: str
    minor_digits: int
    note: str

    def sum_in(self, currencies: Container[str]) -> str:
        """The amount as these services write it, 12.50. Empty if it is none of a currency that they pay in."""
        if self.currency not in currencies or self.minor_digits != 2 or not 0 < self.amount <= MOST:
            return ""
        return f"{self.amount // 100}.{self.amount % 100:02}"


@dataclass(frozen=True, slots=True)
class PayCard:
    """One address as it is shown to who pays: ``filled`` says whether ``link`` or ``code`` has the amount in it.

    ``text`` is what the code says, where a bank also takes it as text.
    """

    label: str
    address: str
    link: str = ""
    code: segno.QRCode | None = None
    text: str = ""
    filled: bool = False

    @property
    def elsewhere(self) -> bool:
        """Whether the link opens a page, which needs a tab of its own; an app needs none."""
        return self.link.startswith("https:")

    @property
    def says(self) -> str:
        """The label of the code."""
        return _("QR code for {label}").format(label=self.label)


class PayKind:
    """One way to be paid. ``WANTED`` is the sentence that refuses anything else."""

    KIND: ClassVar[PayAddress.Kind]
    WANTED: ClassVar[str]

    @property
    def label(self) -> str:
        """The name of the kind. Those of services stay as they are in every language."""
        return self.KIND.label

    def read(self, typed: str) -> str:
        """The address that was typed, in the form that is kept. Raises `LedgerError` with what is wanted."""
        typed = clean(typed)
        found = self._read(typed) if len(typed) <= LONGEST else None
        if not found:
            raise refuse("bad-value", "value", self.WANTED)
        return found

    def parts(self, address: str) -> list[str]:
        """The address in the parts that people read it in."""
        return [address]

    def card(self, address: str, bill: Bill) -> PayCard:
        """The address, with what opens it for this bill."""
        return PayCard(self.label, address)

    def _read(self, typed: str) -> str | None:
        raise NotImplementedError

    def _opened(self, address: str, link: str, filled: str) -> PayCard:
        """A card whose code is its link."""
        return PayCard(self.label, address, link, segno.make(link, error="m", micro=False), filled=bool(filled))

    def _coded(self, address: str, text: str, *, copied: bool = False) -> PayCard:
        """A card with a code that is no link, and has the amount."""
        code = segno.make(text, error="m", micro=False)
        return PayCard(self.label, address, code=code, text=text if copied else "", filled=True)


def _match(pattern: str, typed: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, typed, re.ASCII | re.IGNORECASE)


def _name(typed: str, hosts: str, name: str) -> str | None:
    """The name of an account: alone, with an @ before it, or in the address of its page at one of ``hosts``.

    What follows a question mark there is not kept: PayPal's own app adds the country.
    """
    found = _match(rf"@?({name})|(?:https?://)?(?:{hosts})@?({name})/?(?:[?][\w.=&%-]*)?", typed)
    return found and (found[1] or found[2])


EEA: Final = frozenset({
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IS", "IT", "LI", "LT",
    "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
})  # fmt: skip
"""How an IBAN begins in the European Economic Area: the 27 of the European Union, Iceland, Liechtenstein and Norway."""


class Iban(PayKind):
    """A bank account. For euros banks read the code of the European Payments Council, EPC069-12 version 002."""

    KIND = PayAddress.Kind.IBAN
    WANTED = Phrase(
        "An IBAN begins with the two letters of a country and two digits, as in DE89 3704 0044 0532 0130 00. "
        "Check what was typed."
    )

    def _read(self, typed: str) -> str | None:
        number = re.sub("[ -]", "", typed).upper()
        if not _match("[A-Z]{2}[0-9]{2}[A-Z0-9]{5,30}", number):
            return None
        try:
            return iban.validate(number)
        except InvalidChecksum:
            said = Phrase("This is no IBAN: its check digits do not fit. Check what was typed.")
        except ValidationError:
            said = Phrase("This is no IBAN: no country has one of this form. Check what was typed.")
        raise refuse("bad-value", "value", said)

    def parts(self, address: str) -> list[str]:
        """Groups of four."""
        return [str(part) for part in iban.format(address).split()]

    def card(self, address: str, bill: Bill) -> PayCard:
        """With a code for an amount in euros. EPC069-12 asks for a bank's BIC, which is not kept, outside the EEA."""
        amount = bill.sum_in({"EUR"})
        if not amount or address[:2] not in EEA:
            return super().card(address, bill)
        payee, note = _bytes(bill.payee, 70), _bytes(bill.note, 140)
        code = make_epc_qr(name=payee, iban=address, amount=Decimal(amount), text=note, encoding="utf-8")
        text = epc_text(payee, address, amount, note)
        return PayCard(self.label, address, code=code, text=text, filled=True)


def epc_text(payee: str, account: str, amount: str, note: str) -> str:
    """What `make_epc_qr` writes into a code, to be copied as text."""
    short = amount.rstrip("0").rstrip(".")
    return "\n".join(["BCD", "002", "1", "SCT", "", payee, account, f"EUR{short}", "", "", note])


def _bytes(text: str, most: int) -> str:
    """The text on one line, cut to so many bytes, which a code counts, and to no part of a character."""
    return clean(text).encode()[:most].decode(errors="ignore").strip() or "-"


class PayPal(PayKind):
    """PayPal.Me: letters and digits, at most 20; the amount and its currency may follow in the address.

    The currencies are those of PayPal's list of currency codes, without those that only accounts of one country take.
    """

    KIND = PayAddress.Kind.PAYPAL
    WANTED = Phrase("Enter the name in your PayPal.me link, such as paypal.me/Anna: letters and digits only.")
    WHOLE: ClassVar = frozenset({"HUF"})
    """PayPal takes no decimals in these."""
    CURRENCIES: ClassVar = (
        frozenset({"EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD", "AUD"}) | WHOLE
    )

    def _read(self, typed: str) -> str | None:
        return _name(typed, r"(?:www\.)?paypal\.me/|(?:www\.)?paypal\.com/paypalme/", "[a-z0-9]{1,20}")

    def card(self, address: str, bill: Bill) -> PayCard:
        """The amount goes into the address; there is no place for a note."""
        amount = bill.sum_in(self.CURRENCIES)
        if amount and bill.currency in self.WHOLE:
            amount = amount.removesuffix(".00") if amount.endswith(".00") else ""
        link = f"https://paypal.me/{quote(address, safe='')}"
        return self._opened(address, f"{link}/{amount}{bill.currency}" if amount else link, amount)


class Venmo(PayKind):
    """Venmo, in US dollars. The parameters are those of its payment links: txn, amount and note."""

    KIND = PayAddress.Kind.VENMO
    WANTED = Phrase("Enter the Venmo username, such as @Anna-Lee: 5 to 30 letters, digits, hyphens or underscores.")

    def _read(self, typed: str) -> str | None:
        return _name(typed, r"(?:(?:www\.|account\.)?venmo\.com/)(?:u/)?", "[a-z0-9_-]{5,30}")

    def card(self, address: str, bill: Bill) -> PayCard:
        """Opens a payment of the amount with the note, or else the person's page."""
        link, amount = f"https://venmo.com/{quote(address, safe='')}", bill.sum_in({"USD"})
        asked = f"?txn=pay&amount={amount}&note={quote(bill.note, safe='')}" if amount else ""
        return self._opened(address, link + asked, amount)


class Revolut(PayKind):
    """Revolut.Me. By its terms the payer fills in the amount and the description, so nothing is filled in here."""

    KIND = PayAddress.Kind.REVOLUT
    WANTED = Phrase("Enter the Revolut username, such as @anna1 or revolut.me/anna1: letters, digits or underscores.")

    def _read(self, typed: str) -> str | None:
        return _name(typed, r"(?:www\.)?revolut\.me/", "[a-z0-9_]{3,30}")

    def card(self, address: str, bill: Bill) -> PayCard:
        """The person's page."""
        return self._opened(address, f"https://revolut.me/{quote(address, safe='')}", "")


class Swish(PayKind):
    """Swish, in Swedish kronor. Its manual "QR code encoding specification" has the code; it documents no link."""

    KIND = PayAddress.Kind.SWISH
    WANTED = Phrase("Enter a Swedish mobile number, such as 070-123 45 67, or a Swish number that begins with 123.")

    def _read(self, typed: str) -> str | None:
        found = _match(r"(?:(?:(?:\+46|0046)0?|0)(7[0-9]{8}))|(123[0-9]{7})", re.sub("[ ()-]", "", typed))
        return found and (found[2] or f"0{found[1]}")

    def card(self, address: str, bill: Bill) -> PayCard:
        """With a code for an amount in kronor."""
        if not (amount := bill.sum_in({"SEK"})):
            return super().card(address, bill)
        return self._coded(address, swish_code(address, amount, bill.note))


def swish_code(number: str, amount: str, note: str) -> str:
    """The letter C, the number, the amount with a comma, the message, and that the payer changes none of them.

    Swish takes 50 characters of a message, Swedish letters and few signs.
    """
    letters = "".join(each if each in "ÅÄÖåäö" else plain(each) for each in note)
    message = re.sub(r"[^0-9A-Za-zÅÄÖåäö !?().,:-]", "", letters)[:50]
    return f"C{number};{amount.replace('.', ',')};{quote(message, safe='')};0"


class Upi(PayKind):
    """UPI, in Indian rupees, as the NPCI's "UPI Linking Specifications" have it: pa, pn, am, cu and tn."""

    KIND = PayAddress.Kind.UPI
    WANTED = Phrase("Enter a UPI ID, such as anna@okaxis or 9876543210@ybl.")

    def _read(self, typed: str) -> str | None:
        return typed.lower() if _match("[a-z0-9._-]{2,100}@[a-z][a-z0-9]{1,63}", typed) else None

    def card(self, address: str, bill: Bill) -> PayCard:
        """A link that apps for UPI open; their note has 50 characters."""
        if not (amount := bill.sum_in({"INR"})):
            return super().card(address, bill)
        payee, note = quote(bill.payee, safe=""), quote(bill.note[:50], safe="")
        link = f"upi://pay?pa={quote(address, safe='@')}&pn={payee}&am={amount}&cu=INR&tn={note}"
        return self._opened(address, link, amount)


class Pix(PayKind):
    """PIX, in Brazilian reais, by a key of its five kinds and the static BR Code.

    The Banco Central do Brasil has both in the "Manual de Padrões para Iniciação do Pix".
    """

    KIND = PayAddress.Kind.PIX
    WANTED = Phrase(
        "Enter a PIX key: a CPF, a CNPJ, a phone number that begins with +55, an email address, or a random key."
    )

    def _read(self, typed: str) -> str | None:
        digits = re.sub("[ .()/-]", "", typed)
        if _match(r"\+55[1-9][0-9]{9,10}", digits):
            return digits
        if _match("[0-9]{11}|[0-9]{14}", digits):
            try:
                return cpf.validate(digits) if len(digits) == 11 else cnpj.validate(digits)
            except (InvalidChecksum, InvalidFormat, InvalidLength):
                said = Phrase("This is no PIX key: its check digits do not fit. Check what was typed.")
                if len(digits) == 11:
                    said = Phrase(
                        "This is no PIX key: its check digits do not fit. A phone number begins with +55. "
                        "Check what was typed."
                    )
                raise refuse("bad-value", "value", said) from None
        key = typed.lower()
        is_key = _match("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", key)
        is_mail = len(key) <= 77 and _match(r"[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+", key)
        return key if is_key or is_mail else None

    def card(self, address: str, bill: Bill) -> PayCard:
        """With a code for an amount in reais, which banks also take as text."""
        if not (amount := bill.sum_in({"BRL"})):
            return super().card(address, bill)
        return self._coded(address, br_code(address, amount, bill.payee, bill.note), copied=True)


def br_code(key: str, amount: str, payee: str, note: str, *, city: str = "BRASIL") -> str:
    """The static BR Code. Each field is its number and its length, of two digits each, and ASCII text.

    The key's field has 99 characters in all, which the note shares. Nobody knows the city, which the code must have.
    """
    room = 99 - len(_field(0, "br.gov.bcb.pix") + _field(1, key)) - 4
    said = plain(note).strip()[: max(min(room, 72), 0)]
    account = _field(0, "br.gov.bcb.pix") + _field(1, key) + (_field(2, said) if said else "")
    whole = (
        _field(0, "01")
        + _field(26, account)
        + _field(52, "0000")
        + _field(53, "986")
        + (_field(54, amount) if amount else "")
        + _field(58, "BR")
        + _field(59, plain(payee).strip()[:25] or "Pix")
        + _field(60, city)
        + _field(62, _field(5, "***"))
        + "6304"
    )
    return f"{whole}{_crc(whole.encode()):04X}"


def _field(number: int, text: str) -> str:
    return f"{number:02}{len(text):02}{text}"


def _crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: the polynomial 1021, starting with FFFF."""
    found = 0xFFFF
    for byte in data:
        found ^= byte << 8
        for _bit in range(8):
            found = (found << 1 ^ 0x1021 if found & 0x8000 else found << 1) & 0xFFFF
    return found


class Lightning(PayKind):
    """A Lightning address, as LUD-16 has it. Its wallet asks for the amount, in a currency of its own."""

    KIND = PayAddress.Kind.LIGHTNING
    WANTED = Phrase("Enter a Lightning address, such as anna@wallet.example.")

    @property
    def label(self) -> str:
        """In the reader's language."""
        return _("Lightning address")

    def _read(self, typed: str) -> str | None:
        found = _match(r"(?:lightning:)?([a-z0-9._+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})", typed)
        return found and found[1].lower()

    def card(self, address: str, bill: Bill) -> PayCard:
        """A link that wallets open."""
        return self._opened(address, f"lightning:{quote(address, safe='@+')}", "")


class Other(PayKind):
    """Any other way, in words. It is never a link."""

    KIND = PayAddress.Kind.TEXT
    WANTED = Phrase("Say how they like to be paid.")

    @property
    def label(self) -> str:
        """In the reader's language."""
        return pgettext("to be paid", "Another way")

    def _read(self, typed: str) -> str | None:
        return typed

    def read(self, typed: str) -> str:
        """Raises `LedgerError` if there is nothing to read, or too much."""
        if len(clean(typed)) > LONGEST:
            raise refuse("bad-value", "value", Phrase("Use at most {most} characters.", most=LONGEST))
        return super().read(typed)


KINDS: Final[dict[str, PayKind]] = {
    kind.KIND: kind for kind in (Iban(), PayPal(), Venmo(), Revolut(), Swish(), Upi(), Pix(), Lightning(), Other())
}
"""Each kind by the word under which it is stored."""


def kind_of(word: str) -> PayKind:
    """The kind of this word. Raises `LedgerError` if there is none."""
    if word not in KINDS:
        raise refuse("bad-value", "kind", Phrase("Choose a way to be paid."))
    return KINDS[word]
