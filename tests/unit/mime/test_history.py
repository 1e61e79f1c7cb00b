"""Quoted history: what the usual mail programs write above and around an earlier mail, folded and counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime.history import FOLDED_MARK, LONG_QUOTE_LINES, MAX_LINES, Folded, fold
from tests.unit.mime.counted_calls import calls_of, growth

NAME = "Bo Berg <bo@berg.example>"
HYPHENS = "\u2010" * 7
HEADINGS = {
    "en Gmail": f"On Mon, Nov 30, 2026 at 10:00 AM {NAME} wrote:",
    "en Gmail, broken": "On Mon, Nov 30, 2026 at 10:00 AM Bo Berg of the harbour office <\nbo@berg.example> wrote:",
    "en Gmail, broken late": f"On Mon, Nov 30, 2026 at 10:00 AM {NAME}\nwrote:",
    "en Apple": f"On Nov 30, 2026, at 10:00, {NAME} wrote:",
    "en Thunderbird": "On 30/11/2026 10:00, Bo Berg wrote:",
    "en Proton": f"On Monday, 30 November 2026 at 10:00, {NAME} wrote:",
    "en Proton, old": f"{HYPHENS} Original Message {HYPHENS}\nOn Monday, November 30, 2026 10:00 AM, {NAME} wrote:",
    "en short": "Bo wrote:",
    "de Gmail": f"Am Mo., 30. Nov. 2026 um 10:00 Uhr schrieb {NAME}:",
    "de Gmail, broken": "Am Mo., 30. Nov. 2026 um 10:00 Uhr schrieb Bo Berg <\nbo@berg.example>:",
    "de Thunderbird": "Am 30.11.26 um 10:00 schrieb Bo Berg:",
    "fr Gmail": f"Le lun. 30 nov. 2026 à 10:00, {NAME} a écrit :",
    "fr Thunderbird": "Le 30/11/2026 à 10:00, Bo Berg a écrit\xa0:",
    "es Gmail": "El lun, 30 nov 2026 a las 10:00, Bo Berg (<bo@berg.example>) escribió:",
    "it Gmail": f"Il giorno lun 30 nov 2026 alle ore 10:00 {NAME} ha scritto:",
    "nl Gmail": f"Op ma 30 nov 2026 om 10:00 schreef {NAME}:",
    "pt Gmail": f"Em seg., 30 de nov. de 2026 às 10:00, {NAME} escreveu:",
    "pl Gmail": f"pon., 30 lis 2026 o 10:00 {NAME} napisał(a):",
    "pl Thunderbird": "W dniu 30.11.2026 o 10:00, Bo Berg pisze:",
    "sv Gmail": f"Den mån 30 nov. 2026 kl 10:00 skrev {NAME}:",
    "da Gmail": f"Den man. 30. nov. 2026 kl. 10.00 skrev {NAME}:",
    "no Gmail": f"man. 30. nov. 2026 kl. 10:00 skrev {NAME}:",
    "fi Gmail": "ma 30. marrask. 2026 klo 10.00 Bo Berg (bo@berg.example) kirjoitti:",
    "cs Gmail": f"po 30. 11. 2026 v\xa010:00 odesílatel {NAME} napsal:",
    "cs Thunderbird": "Dne 30. 11. 26 v 10:00 Bo Berg napsal(a):",
    "ru Gmail": f"пн, 30 нояб. 2026\u202f\u0433. в 10:00, {NAME}:",
    "ru Thunderbird": "30.11.2026 10:00, Bo Berg пишет:",
    "uk Gmail": f"пн, 30 лист. 2026\u202f\u0440. \u043e 10:00 {NAME} пише:",
    "ja Gmail": f"2026年11月30日(月) 10:00 {NAME}:",
    "ja Outlook": "Bo Berg さんは書きました:",
    "zh Gmail": f"{NAME} 于2026年11月30日周一 10:00写道\uff1a",
    "zh-TW Gmail": f"{NAME} 於 2026年11月30日 週一 上午10:00寫道\uff1a",
    "ko Gmail": f"2026년 11월 30일 (월) 오전 10:00, {NAME}님이 작성:",
    "ko Thunderbird": "26. 11. 30. 10:00에 Bo Berg 이(가) 쓴 글:",
    "a language that is not listed": f"Pirmd., 2026. gada 30. nov., plkst. 10:00 {NAME}:",
    "none": "",
}
QUOTED = "> The tide is at six.\n>\n> > Bring a lamp.\n> Bo"
BLOCKS = {
    "en": ("From: Bo Berg", "Sent: Monday, 30 November 2026 10:00", "To: Ada Keller", "Subject: Tide"),
    "en, starred": ("*From:* Bo Berg", "*Sent:* Monday, 30 November 2026 10:00", "*To:* Ada Keller", "*Subject:* Tide"),
    "de": ("Von: Bo Berg", "Gesendet: Montag, 30. November 2026 10:00", "An: Ada Keller", "Betreff: Flut"),
    "fr": ("De : Bo Berg", "Envoyé : lundi 30 novembre 2026 10:00", "À : Ada Keller", "Objet : Marée"),
    "es": ("De: Bo Berg", "Enviado el: lunes, 30 de noviembre de 2026 10:00", "Para: Ada Keller", "Asunto: Marea"),
    "it": ("Da: Bo Berg", "Inviato: lunedì 30 novembre 2026 10:00", "A: Ada Keller", "Oggetto: Marea"),
    "nl": ("Van: Bo Berg", "Verzonden: maandag 30 november 2026 10:00", "Aan: Ada Keller", "Onderwerp: Getij"),
    "pt": ("De: Bo Berg", "Enviada em: segunda-feira, 30 de novembro de 2026 10:00", "Para: Ada Keller", "Assunto: Maré"),
    "pl": ("Od: Bo Berg", "Wysłano: poniedziałek, 30 listopada 2026 10:00", "Do: Ada Keller", "Temat: Przypływ"),
    "sv": ("Från: Bo Berg", "Skickat: den 30 november 2026 10:00", "Till: Ada Keller", "Ämne: Tidvatten"),
    "da": ("Fra: Bo Berg", "Sendt: 30. november 2026 10:00", "Til: Ada Keller", "Emne: Tidevand"),
    "no": ("Fra: Bo Berg", "Dato: mandag 30. november 2026 10:00", "Til: Ada Keller", "Emne: Tidevann"),
    "fi": (
        "Lähettäjä: Bo Berg",
        "Lähetetty: maanantai 30. marraskuuta 2026 10.00",
        "Vastaanottaja: Ada Keller",
        "Aihe: Vuorovesi",
    ),
    "cs": ("Od: Bo Berg", "Odesláno: pondělí 30. listopadu 2026 10:00", "Komu: Ada Keller", "Předmět: Příliv"),
    "ru": (
        "От: Bo Berg",
        "Отправлено: 30 ноября 2026 10:00",
        "Кому: Ada",
        "Тема: x",
    ),
    "uk": (
        "Від: Bo Berg",
        "Надіслано: 30.11.2026 10:00",
        "Кому: Ada",
        "Тема: x",
    ),
    "ja": (
        "差出人: Bo Berg",
        "送信日時: 2026年11月30日 10:00",
        "宛先: Ada",
        "件名: x",
    ),
    "zh": (
        "发件人: Bo Berg",
        "发送时间: 2026年11月30日 10:00",
        "收件人: Ada",
        "主题: x",
    ),
    "zh-TW": (
        "寄件者\uff1aBo Berg",
        "寄件日期\uff1a2026年11月30日 10:00",
        "收件者\uff1aAda",
        "主旨\uff1ax",
    ),
    "ko": (
        "보낸 사람: Bo Berg",
        "보낸 날짜: 2026년 11월 30일 10:00",
        "받는 사람: Ada",
        "제목: x",
    ),
}
ORIGINALS = [
    "-----Original Message-----",
    "-----Ursprüngliche Nachricht-----",
    "-----Message d'origine-----",
    "-----Mensaje original-----",
    "-----Messaggio originale-----",
    "-----Oorspronkelijk bericht-----",
    "-----Mensagem original-----",
    "-----Oryginalna wiadomość-----",
    "-----Ursprungligt meddelande-----",
    "-----Oprindelig meddelelse-----",
    "-----Opprinnelig melding-----",
    "-----Alkuperäinen viesti-----",
    "-----Původní zpráva-----",
    "-----Исходное сообщение-----",
    "-----Оригінальне повідомлення-----",
    "-----元のメッセージ-----",
    "-----原始邮件-----",
    "-----원본 메시지-----",
]
OWN = "Six is fine.\n\n-- \nAda Keller\nBookbinder"


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_the_last_quotation_goes_with_the_words_that_introduce_it(heading: str, between: str) -> None:
    """Product page 4: what the usual programs write, in their languages; the answer and its signature stay."""
    history = f"{heading}{between}{QUOTED}" if heading else QUOTED
    assert fold(f"{OWN}\n\n{history}\n") == Folded(f"{OWN}\n\n{FOLDED_MARK}", len(history))


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
@pytest.mark.parametrize("above", ["", "________________________________\n"])
def test_an_unquoted_mail_under_header_lines_is_history_to_the_end(block: tuple[str, ...], above: str) -> None:
    """Product page 4: Outlook's form in its languages, also as lines of their own and with a rule above."""
    for gap in ("\n", "\n\n"):
        history = above + gap.join(block) + "\n\nThe tide is at six.\n\nBo"
        assert fold(f"{OWN}\n\n{history}") == Folded(f"{OWN}\n\n{FOLDED_MARK}", len(history))


@pytest.mark.parametrize("line", ORIGINALS)
def test_an_original_message_is_history_to_the_end(line: str) -> None:
    """Product page 4: the line and its translations."""
    history = f"{line}\nThe tide is at six.\n\nBo"
    assert fold(f"{OWN}\n\n{history}") == Folded(f"{OWN}\n\n{FOLDED_MARK}", len(history))


def test_a_mail_under_a_whole_heading_is_history_though_nothing_marks_it() -> None:
    """Some programs mark quotations by a colour or a bar, which no text shows."""
    history = f"{HEADINGS['en Gmail']}\n\nThe tide is at six.\n\nBo"
    assert fold(f"{OWN}\n\n{history}") == Folded(f"{OWN}\n\n{FOLDED_MARK}", len(history))


@pytest.mark.parametrize("foot", ["-- \nAda Keller", "_______________________________________________\nTide list\nhttps://lists.example"])
def test_what_stands_below_a_quotation_as_signature_or_foot_stays(foot: str) -> None:
    """Some people keep their signature below the quotation."""
    history = f"{HEADINGS['de Thunderbird']}\n{QUOTED}"
    assert fold(f"Six is fine.\n\n{history}\n\n{foot}\n") == Folded(f"Six is fine.\n\n{FOLDED_MARK}\n\n{foot}\n", len(history))


def test_a_long_quotation_above_its_one_answer_is_folded() -> None:
    """The whole earlier mail, then the answer."""
    history = f"{HEADINGS['nl Gmail']}\n" + "\n".join(["> line"] * LONG_QUOTE_LINES)
    assert fold(f"{history}\n\nSix is fine.\n") == Folded(f"{FOLDED_MARK}\n\nSix is fine.\n", len(history))


KEPT = {
    "answers between": "> The tide?\n\nAt six.\n\n> The lamp?\n\nBring it.\n",
    "an answer below a short quotation": f"{HEADINGS['en Gmail']}\n> The tide is at six.\n\nFine.\n",
    "answers between long quotations": "> a\n" * 20 + "\nAt six.\n\n" + "> b\n" * 20 + "\nBring it.",
    "nothing but a quotation": f"{HEADINGS['en Gmail']}\n\n{QUOTED}\n",
    "a mail that was passed on": "See below.\n\n---------- Forwarded message ---------\n" + "\n".join(BLOCKS["en"]) + "\n\n> six\n",
    "a mail that was passed on, Apple": "Anfang der weitergeleiteten Nachricht:\n\n> " + "\n> ".join(BLOCKS["de"]) + "\n>\n> sechs",
    "a mail that was passed on without a word": "\n".join(BLOCKS["de"]) + "\n\nsechs\n",
    "a report's copy of a header": "It failed.\n\nReceived: x\nDate: y\n" + "\n".join(BLOCKS["en"]) + "\n\nbody\n",
    "a report that mentions an original message": "It failed.\n\nOriginal message headers:\n\nX-A: b\n",
    "a list of words with colons": "From: the harbour\nPrice: ten\nTo: be seen\n",
    "prose": "On Monday he wrote: come at six.\nHe never came.\n",
    "a heading far above": "Bo wrote:\n\n\nsomething\n",
    "empty": "",
    "blanks": "\n \n",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_what_is_no_history_stays(text: str) -> None:
    """Product page 4: never lost; and what is answered line by line is what the answers mean."""
    assert fold(text) == Folded(text)


def test_a_line_of_ones_own_right_above_a_heading_stays() -> None:
    """A heading takes only what was broken off it."""
    assert fold("Call me at 10:30\nBo wrote:\n> six\n") == Folded(f"Call me at 10:30\n\n{FOLDED_MARK}", len("Bo wrote:\n> six"))


TEXTS = st.lists(
    st.sampled_from(
        [
            "",
            "> q",
            ">> q",
            " > q",
            "own words",
            "-- ",
            "_____",
            "Bo wrote:",
            "From: a",
            "Sent: b",
            "Subject: c",
            ORIGINALS[0],
            HEADINGS["en Gmail"],
            " ",
        ]
    ),
    max_size=40,
).map("\n".join)


@given(TEXTS)
def test_a_fold_counts_what_it_took_and_never_takes_all(text: str) -> None:
    """Product page 4: a count of folded characters; each kept line stands in the text in the same order."""
    found = fold(text)
    if not found.folded_chars:
        assert found == Folded(text)
        return
    kept = [line for line in found.text.split("\n") if line.strip() and line != FOLDED_MARK]
    assert kept
    every = iter(text.split("\n"))
    assert all(line in every for line in kept)
    lost = sum(len(line.strip()) for line in text.split("\n")) - sum(len(line.strip()) for line in kept)
    assert lost <= found.folded_chars <= len(text)


@pytest.mark.parametrize(
    "unit",
    ["> q\n", "own\n", "From: a\n", "Bo wrote:\n", "-----\n", "\n", "On 10:00 a@b\n", "own\n> q\n", "From: a\nSent: b\nTo: c\nown\n"],
)
def test_the_work_grows_with_the_text(unit: str) -> None:
    """Attack catalogue text/regex-strippers: linear scanners only."""
    assert growth(lambda size: fold("own\n\n" + unit * size), small=200, large=2_000) < 15


def test_an_empty_line_costs_a_few_steps_and_too_many_lines_are_left() -> None:
    """Product page 10: no one mail costs more than 5 s. Each line was once looked at for each of the 35 words in turn."""
    assert calls_of(lambda: fold("own" + "\n" * 10_000)) < 200_000
    flood = "own\n> q" + "\n" * MAX_LINES
    assert fold(flood) == Folded(flood)


def test_a_booking_is_no_history() -> None:
    """Labels alone make no earlier mail: tickets have from, to and date, too."""
    booking = "Thank you.\n\nFrom: Zurich\nTo: Milan\nDate: 12 May 2026\n\nPay 500 by Friday.\nhelp@rail.example"
    assert fold(booking) == Folded(booking)
    mail = "Thank you.\n\nFrom: Bo Berg\nSent: 12 May 2026\nTo: Ada\nSubject: Tide\n\nSix."
    assert fold(mail).text == f"Thank you.\n\n{FOLDED_MARK}"


@pytest.mark.parametrize("subject", ["FW: Tide", "Fwd: Re: Tide", "WG: Flut", "TR : Marée", "\u8f6c\u53d1\uff1aTide"])
def test_what_a_subject_calls_passed_on_stays(subject: str) -> None:
    """Outlook writes the same lines above what it passes on as above what it answers; only the subject tells."""
    mail = "See below.\n\nFrom: Bo Berg\nSent: 12 May 2026\nTo: Ada\nSubject: Tide\n\nSix."
    assert fold(mail, subject=subject) == Folded(mail)
    assert fold(mail, subject=f"Re: {subject}").folded_chars > 0


def test_what_apple_passes_on_in_quote_marks_stays() -> None:
    """Apple Mail marks a passed-on mail with `> `, its first line included."""
    mail = "See below.\n\n> Begin forwarded message:\n> \n> From: Bo <bo@berg.example>\n> Subject: Tide\n> \n> Six."
    assert fold(mail) == Folded(mail)
