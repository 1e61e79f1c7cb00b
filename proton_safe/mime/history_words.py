"""The words by which mail programs introduce an earlier mail, by language. All in the form that `str.casefold` gives."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Label = Literal["from", "date", "to", "subject"]

# "… wrote:" in the line above a quotation.
WROTE: Final = tuple(
    {
        "en": "wrote",
        "de": "schrieb",
        "fr": "a écrit",
        "es": "escribió",
        "it": "ha scritto",
        "nl": "schreef",
        "pt": "escreveu",
        "ca": "va escriure",
        "pl": "napisał",
        "pl, Thunderbird": "pisze",
        "sv, da, no": "skrev",
        "fi": "kirjoitti",
        "cs": "napsal",
        "sk": "napísal",
        "sl": "napisal",
        "hr": "napisao",
        "hu": "írta",
        "ro": "a scris",
        "tr": "yazd\u0131",
        "et": "kirjutas",
        "lt": "rašė",
        "lv": "rakstīja",
        "el": "έγραψε",
        "ru": "пишет",
        "ru, bg": "написа",
        "uk": "пише",
        "he": "כתב",
        "ar": "كتب",
        "ja": "書きました",
        "ja, message": "のメッセージ",
        "zh": "写道",
        "zh, variant": "寫道",
        "zh, short": "写到",
        "ko": "작성",
        "ko, Thunderbird": "쓴 글",
        "ko, sentence": "썼습니다",
    }.values()
)

# What stands between dashes above an earlier mail.
ORIGINAL: Final = (
    "original message",
    "original appointment",
    "ursprüngliche nachricht",
    "originalnachricht",
    "message d'origine",
    "message d\u2019origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "oorspronkelijk bericht",
    "oorspronkelijke bericht",
    "mensagem original",
    "oryginalna wiadomość",
    "wiadomość oryginalna",
    "ursprungligt meddelande",
    "originalmeddelande",
    "oprindelig meddelelse",
    "original meddelelse",
    "opprinnelig melding",
    "original melding",
    "alkuperäinen viesti",
    "původní zpráva",
    "исходное сообщение",
    "оригінальне повідомлення",
    "вихідне повідомлення",
    "元のメッセージ",
    "原始邮件",
    "邮件原件",
    "原始郵件",
    "원본 메시지",
    "원본 메일",
)

# What introduces a mail that was passed on: that is what its sender wants to be read, not history.
FORWARDED: Final = (
    "forwarded message",
    "weitergeleitete nachricht",
    "weitergeleiteten nachricht",
    "message transféré",
    "message réexpédié",
    "mensaje reenviado",
    "messaggio inoltrato",
    "doorgestuurd bericht",
    "mensagem encaminhada",
    "mensagem reencaminhada",
    "wiadomość przekazana",
    "przekazana wiadomość",
    "vidarebefordrat meddelande",
    "vidarebefordrat brev",
    "videresendt meddelelse",
    "videresendt besked",
    "videresendt melding",
    "välitetty viesti",
    "edelleen lähetetty viesti",
    "přeposlaná zpráva",
    "přeposílaná zpráva",
    "пересылаемое сообщение",
    "пересланное сообщение",
    "переслане повідомлення",
    "転送されたメッセージ",
    "転送メッセージ",
    "转发的邮件",
    "转发邮件",
    "轉寄郵件",
    "轉寄的郵件",
    "전달된 메시지",
    "전달된 메일",
)

_LABELS: Final[Mapping[Label, str]] = MappingProxyType(
    {
        "from": "from von de da van od från fra lähettäjä от від 差出人 送信者 "
        "发件人 寄件者 發件人 寄件人 보낸_사람 보낸사람 "
        "от_кого від_кого expéditeur avsender remitente mittente",
        "date": "sent date gesendet datum envoyé envoyé_le enviado enviado_el enviado_em enviada enviada_em enviada_a fecha inviato "
        "data verzonden wysłano skickat sendt dato lähetetty päivämäärä päiväys odesláno "
        "отправлено дата надіслано "
        "送信日時 日時 日付 发送时间 日期 时间 寄件日期 "
        "傳送時間 전송 보낸_날짜 날짜 보냄",
        "to": "to an à a para aan do till til vastaanottaja komu кому 宛先 收件人 收件者 "
        "받는_사람 받는사람 cc kopia kopie kopi копия копія "
        "抄送 副本 참조",
        "subject": "subject betreff objet asunto oggetto onderwerp assunto temat ämne emne aihe předmět тема 件名 主题 主旨 主題 제목",
    }
)
LABEL_OF: Final[Mapping[str, Label]] = MappingProxyType(
    {word.replace("_", " "): kind for kind, words in _LABELS.items() for word in words.split()}
)
