"""Twenty languages: what mails in them say, and the four phrases that are searched in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """A language, the charset that its mails had before UTF-8 (None: there is none that fits), a greeting, and its phrases."""

    name: str
    legacy: str | None
    greeting: str
    phrases: tuple[str, str, str, str]


LANGUAGES: Final = (
    Language("English", "us-ascii", "Good morning", ("lighthouse", "R&D budget", "marzipan", "quarterly kiln report")),
    Language("French", "iso-8859-1", "Bonjour", ("réunion", "crème brûlée", "échéancier", "théâtre de verdure")),
    Language("German", "iso-8859-1", "Guten Tag", ("Übergabe", "grüner Spargel", "Straßenfest", "Schlüssel für Köln")),
    Language("Spanish", "iso-8859-1", "Buenos", ("mañana", "niño pequeño", "corazón", "año académico")),
    Language("Portuguese", "iso-8859-1", "Bom dia", ("reunião", "pão de açúcar", "coração", "lição de violão")),
    Language("Italian", "iso-8859-1", "Buongiorno", ("perché", "città vecchia", "caffè", "però così")),
    Language("Polish", "iso-8859-2", "Witam", ("żółw", "łódź rybacka", "gęślą", "święto plonów")),
    Language("Czech", "iso-8859-2", "Ahoj", ("žluťoučký", "kůň běží", "příliš", "šťastné děti zpívají")),
    Language("Hungarian", "iso-8859-2", "Szervusz", ("árvíztűrő", "zöld üveg", "őrség", "hűvös kút")),
    Language("Turkish", "iso-8859-9", "Merhaba", ("güneş", "günaydın dünya", "çiçek", "yağmurlu gün")),  # noqa: RUF001 - a letter of this language
    Language("Vietnamese", None, "Xin chao", ("tiếng Việt", "phở bò", "đường phố", "nghệ thuật mới")),
    Language("Greek", "iso-8859-7", "Γεια", ("θάλασσα", "καλημέρα κόσμε", "ήλιος", "μικρό καΐκι")),
    Language("Russian", "koi8-r", "Здравствуйте", ("привет", "зелёный чай", "ёлка", "новый йогурт")),
    Language("Ukrainian", "windows-1251", "Вітаю", ("їжак", "свіжий хліб", "ґанок", "тиха їдальня")),
    Language("Arabic", "windows-1256", "تحية", ("مرحبا", "شاي أخضر", "مكتبة", "كتاب جديد")),
    Language("Hebrew", "windows-1255", "בוקר טוב", ("שלום", "ספר חדש", "מחברת", "תה ירוק")),
    Language("Hindi", None, "सुप्रभात", ("नमस्ते", "हरी चाय", "पुस्तक", "नई किताब")),
    Language("Japanese", "iso-2022-jp", "おはよう", ("会議", "緑茶の予約", "ガイドブック", "東京タワー")),
    Language("Chinese", "gb18030", "早上好", ("茶馆", "绿色围巾", "图书馆", "新的笔记本")),
    Language("Korean", "euc-kr", "좋은 아침", ("안녕하세요", "녹차 주문", "도서관", "새로운 공책")),
)
