"""Style rules: which selectors name an element, which declarations win, which at-rules a normal screen applies, and at what cost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proton_safe.mime import css
from proton_safe.mime.css_media import screen_shows
from proton_safe.mime.css_properties import declarations, inline, plain
from proton_safe.mime.css_selectors import MAX_COMPOUNDS, MAX_SELECTOR_CHARS, may_hold, selector, unescaped
from proton_safe.mime.html_text import html_text
from tests.unit.mime.counted_calls import growth

NAMES = [
    ("*", "<p>"),
    ("p", "<P>"),
    ("p.x", "<p class='a X'>"),
    (".x.y", "<p class='y x'>"),
    ("#i", "<p id=I>"),
    ("p#i.x[title]", "<p id=i class=x title>"),
    (".m\\:x", "<p class=m:x>"),
    (".\\78 y", "<p class=xy>"),
    ("[title=a]", "<p title=A>"),
    ("[title='a b']", "<p title='a b'>"),
    ("[title~=b]", "<p title='a b'>"),
    ("[title|=a]", "<p title=a-b>"),
    ("[title|=a]", "<p title=a>"),
    ("[title^=a]", "<p title=ab>"),
    ("[title$=b]", "<p title=ab>"),
    ("[title*=b]", "<p title=abc>"),
    ("div p", "<div><b><p>"),
    ("div > p", "<div><p>"),
    ("div>section p", "<div><section><i><p>"),
    ("div > section > p", "<div><div><section><p>"),
    ("div div > p", "<div><div><section></section><p>"),
    ("h1 + p", "<h1>a</h1><p>"),
    ("h1 ~ p", "<h1>a</h1><hr><p>"),
    ("p:not(.y)", "<p>"),
    ("p:not([title])", "<p>"),
    ("p:first-child", "<div><p>"),
    ("p:last-child", "<div><b></b><p>"),
    ("p:only-child", "<div><p>"),
    ("p:nth-child(2)", "<div><b></b><p>"),
    ("p:nth-child(even)", "<div><b></b><p>"),
    ("p:nth-child(odd)", "<div><p>"),
    (":root p", "<p>"),
    ("p a:link", "<p><a href=x>"),
]
NAMES_NOT = [
    ("p.x", "<p>"),
    ("#i", "<p id=j>"),
    ("[title=a]", "<p title=b>"),
    ("[title^='']", "<p title=ab>"),
    ("[title]", "<p>"),
    ("div > p", "<div><section><p>"),
    ("h1 + p", "<h1>a</h1><hr><p>"),
    ("h1 ~ p", "<p>"),
    ("p:not(.y)", "<p class=y>"),
    ("p:first-child", "<div><b></b><p>"),
    ("p:last-child", "<div><p></p><hr>"),
    ("p:only-child", "<div><p></p><hr>"),
    ("p:nth-child(1)", "<div><b></b><p>"),
    # what is not evaluated names nothing
    ("p:hover", "<p>"),
    ("p::before", "<p>"),
    ("p:is(p)", "<p>"),
    ("p:not(.a .b)", "<p>"),
    ("p:not(:not(p))", "<p>"),
    ("p >", "<p>"),
    ("p & p", "<p>"),
    ("p p!", "<p><p>"),
    ("", "<p>"),
    (f"p.{'x' * MAX_SELECTOR_CHARS}", f"<p class={'x' * MAX_SELECTOR_CHARS}>"),
    (" ".join(["div"] * (MAX_COMPOUNDS + 1)), "<div>" * 20),
]


def _hides(rules: str, body: str) -> bool:
    return ("display-none", 1) in html_text(f"<style>{rules}</style>{body}H").hidden


@pytest.mark.parametrize("text, body", NAMES)
def test_a_selector_names_an_element(text: str, body: str) -> None:
    """Selectors Level 4; attack catalogue html/hidden-display-none."""
    assert _hides(f"{text}{{display:none}}", body)


@pytest.mark.parametrize("text, body", NAMES_NOT)
def test_a_selector_does_not_name_another_element(text: str, body: str) -> None:
    """Product page 4: only what a person would not see is left out."""
    assert not _hides(f"{text}{{display:none}}", body)


WINS = [
    ("p{display:none} p{display:block}", "<p>", False),
    (".x{display:none} p{display:block}", "<p class=x>", True),
    ("#i{display:none} .x.x.x{display:block}", "<p id=i class=x>", True),
    ("div p{display:none} p{display:block}", "<div><p>", True),
    ("p{display:none!important} #i{display:block}", "<p id=i>", True),
    ("p{display:none}", "<p style='display:block'>", False),
    ("p{display:none!important}", "<p style='display:block'>", True),
    ("p{display:block!important}", "<p style='display:none !important'>", True),
    ("p:not(#j){display:none} .x{display:block}", "<p class=x>", True),
    ("p,,.y{display:none}", "<p>", False),
]


@pytest.mark.parametrize("rules, body, hidden", WINS)
def test_the_stronger_declaration_wins(rules: str, body: str, *, hidden: bool) -> None:
    """CSS Cascade 5, 6.1: importance, then specificity, then order."""
    assert _hides(rules, body) is hidden


APPLIES = [
    "@media screen{p{display:none}}",
    "@media all and (min-width:600px){p{display:none}}",
    "@media print,screen{p{display:none}}",
    "@supports (display:grid){@media screen{p{display:none}}}",
    "@layer a{p{display:none}}",
    "@import url(x.css);p{display:none}",
    "@charset 'utf-8';@font-face{src:url(a)}p{display:none}",
    ".y{color:red;&:hover{color:blue}}p{display:none}",
    "p{display:none;b{color:red}}",
    "p{b{color:red}display:none}",
    "p{display:none",
    "<!-- p{display:none} -->",
    "p{/* } */display:none}",
    '.y{content:"}"}p{display:none}',
    ".y{content:'a\\'}'}p{display:none}",
    "p{color:'unclosed\n;display:none}",
]


@pytest.mark.parametrize("rules", APPLIES)
def test_a_rule_that_the_screen_applies_is_found(rules: str) -> None:
    """CSS Syntax 3, 5.4: blocks, strings and comments."""
    assert _hides(rules, "<p>")


APPLIES_NOT = [
    "@media print{p{display:none}}",
    "@supports not (display:grid){p{display:none}}",
    "@keyframes p{p{display:none}}",
    "@container (width > 1px){p{display:none}}",
    "@media screen{@media print{p{display:none}}}",
    "/* p{display:none}",
    *("}p{display:none}", "a{}}p{display:none}", ";p{display:none}", "a;p{display:none}", "@media all{;p{display:none}}"),
    *(
        "p,:bogus{display:none}",
        "p,{display:none}",
        "p,>a{display:none}",
        "p,a%{display:none}",
        "p,:not(){display:none}",
        "p,1{display:none}",
    ),
    *("p{display:none\\9}", "p{display:\xa0none}", "p\xa0{display:none}", "p{<!-- display:none}", "p{dis/**/play:none}"),
    '.y{background:url(a"b}p{display:none}',
    '.y{content:"p{display:none}"}',
    ".y{p{display:none}}",
    "@media " * 3 + "screen{" * 25 + "p{display:none}",
]


@pytest.mark.parametrize("rules", APPLIES_NOT)
def test_a_rule_for_others_does_not_count(rules: str) -> None:
    """As above."""
    assert not _hides(rules, "<p>")


def test_shorthands_are_taken_apart() -> None:
    """CSS Fonts 4, 2.7; Backgrounds 3, 2.10; Box 4, 4.2."""
    assert inline("font:bold 12px/0 Arial") == {"font-size": "12px", "line-height": "0", "font-size-adjust": "none"}
    assert inline("font:inherit") == {"font-size": "inherit", "line-height": "inherit"}
    assert inline("font:caption")["font-size"] == "13px"
    assert inline("font:12px") == inline("font:bold") == {}
    assert inline("margin:1px 2px 3px")["margin-left"] == "2px"
    assert inline("inset:0 0 0 -9999px") == {"top": "0", "right": "0", "bottom": "0", "left": "-9999px"}
    assert inline("overflow:hidden scroll") == {"overflow-x": "hidden", "overflow-y": "scroll"}
    assert inline("-webkit-clip-path:circle(0);left:calc( -9999px )") == {"clip-path": "circle(0)", "left": "calc( -9999px )"}
    assert inline("color:red!important;color:blue;color:;cursor:help") == {"color": "blue", "!color": "red"}


def test_escapes_are_undone_and_comments_vanish() -> None:
    """CSS Syntax 3, 4.3.7: a name may be written in escapes; what is no character is U+FFFD."""
    assert declarations(plain("d\\69 SPLAY/**/: no\\6e e")) == ({"display": "none"}, {})
    assert unescaped("\\0 \\d800 \\ffffff x") == "\ufffd\ufffd\ufffdx"


def test_what_is_too_much_is_told() -> None:
    """Rules and steps are bounded, and the reader hears of it."""
    many = ".".join(f"x{{color:red}} .c{number}{{color:red}} " for number in range(css.MAX_RULES))
    assert html_text(f"<style>{many}</style>a").warnings == ("style-unread",)
    assert html_text(f"<style>{'/*' + 'x' * css.MAX_SHEET_CHARS}*/</style>a").warnings == ("style-unread",)
    heavy = "<style>" + "* * p{color:red} " * 300 + "</style>" + "<p>a" * 200
    assert html_text(heavy).warnings == ()
    assert html_text(heavy, steps=10_000).warnings == ("style-unread",)


@pytest.mark.parametrize("before", ["/*", "@media print{", "b{color:red", '.y{content:"'])
def test_each_style_element_is_a_sheet_of_its_own(before: str) -> None:
    """What is left open in one swallows nothing of the next (WHATWG HTML 4.2.6)."""
    assert html_text(f"<style>{before}</style><style>p{{display:none}}</style><p>H").text == ""


def test_a_sheet_made_of_texts_says_what_holds() -> None:
    """The way in for those who have the texts."""
    assert css.sheet(["p{display:none}"]).complete


@given(st.text(alphabet="p.#[]=\"'*>+~ :()x\\{}@,;/-!", max_size=60))
def test_any_text_is_read_as_a_selector_and_as_a_sheet(text: str) -> None:
    """No input raises."""
    selector(text)
    screen_shows(text)
    html_text(f"<style>{text}</style><p style='{text}'>a")


FLOODS = [
    "p{color:red}",
    "p ",
    "{",
    "}",
    "@media screen{",
    "/*",
    '"',
    "'\\",
    "\\",
    "p>",
    "a,",
    "[x",
    ":not(",
    "color:red;",
    "!important",
    "@",
]


@pytest.mark.parametrize("piece", FLOODS)
def test_the_cost_of_rules_grows_with_the_input_and_no_faster(piece: str) -> None:
    """Peer fault B5."""
    assert growth(lambda size: css.sheet([piece * size]), small=500, large=2_000) < 6
    assert growth(lambda size: inline(piece * size), small=500, large=2_000) < 6


@pytest.mark.parametrize("length, parts", [(199, 1), (200, 1), (201, 2)])
def test_a_bracket_is_looked_for_so_far_and_no_further(length: int, parts: int) -> None:
    """Peer fault B5: brackets that are never closed would each be looked for to the end of the sheet, which costs a square."""
    assert len(css._listed(f"a[{'x' * (length - 2)},y],b")) == parts + 1


def test_a_selector_that_is_too_long_to_look_at_may_name_an_element() -> None:
    """The same: what is given up is told, and not searched."""
    assert not may_hold("a:hover")
    assert may_hold(f"a:hover{' ' * 1_600}")


@pytest.mark.parametrize(
    "style",
    [
        *("display:none;display:no", "visibility:hidden;visibility:seen", "opacity:0;opacity:full", "font-size:0;font-size:big"),
        *("color:#fff;color:#ggg", "color:#fff;color:dark", "font-size:1e-3px", "max-block-size:0;overflow:hidden"),
        *("inset-inline-start:-9999px;position:absolute", "height:0;overflow:auto", "display:none;display:block block block block"),
    ],
)
def test_a_value_that_is_none_does_not_undo_the_one_before_it(style: str) -> None:
    """CSS Syntax 3, 2.2: a browser drops a declaration that it doesn't know, and the one before it holds."""
    assert html_text(f'own<p style="{style}">unseen</p>').text == "own"
    assert html_text(f"<style>.x{{{style}}}</style>own<p class=x>unseen</p>").text == "own"


@pytest.mark.parametrize("value", ["inline flex", "-webkit-box", "table-cell", "flow-root list-item", "revert", "inline-table"])
def test_a_display_that_browsers_know_undoes_the_one_before_it(value: str) -> None:
    """So that no text is taken for hidden that a person sees."""
    assert html_text(f'<p style="display:none;display:{value}">seen</p>').text == "seen"


@pytest.mark.parametrize(
    "rule",
    [
        *(":is(.x){display:none}", "p:not(.a,.b){display:none}", "p:nth-child(2n){color:#fff}", "p:has(b){font-size:0}"),
        *("div{p{display:none}}", "@container (width>1px){p{display:none}}"),
        *("p{--a:none;display:var(--a)}", "p{color:hwb(0 100% 0%)}", "*|p{display:none}"),
        *("p{font-size:var(--a,0px)}", "p{left:var(--a)}", "p{mask:linear-gradient(#000,#000)}", "p{filter:brightness(0) invert(1)}"),
        *("p::first-line{color:#fff}", "p:read-only{display:none}", "@layer a{p{display:none}}", "@supports not (a:b){p{color:red}}"),
        *("@keyframes x{from{opacity:0}} p{animation:x 1s}", '@import "data:text/css,p{display:none}";', "@starting-style{p{color:red}}"),
    ],
)
def test_what_is_not_evaluated_is_told(rule: str) -> None:
    """A rule that may hide text and is not understood is a warning."""
    assert html_text(f"<style>{rule}</style><div>own<p class=x><b>seen</b></p></div>").warnings == ("style-unread",)


def test_a_comma_inside_parentheses_parts_no_selectors() -> None:
    """`div:is(.a, .x, .b)` says nothing of `.x` elsewhere."""
    assert html_text("<style>div:is(.a, .x, .b){display:none}</style><p class=x>seen</p>").text == "seen"


@pytest.mark.parametrize("rule", ["a:hover{color:#fff}", "p::before{color:#fff}", "p:not(.a){color:#fff}", "p{width:calc(1px + 1px)}"])
def test_ordinary_rules_are_no_warning(rule: str) -> None:
    """Such rules stand in every newsletter."""
    assert html_text(f"<style>{rule}</style><p class=a>seen</p>").warnings == ()


@pytest.mark.parametrize("name", ["rotate", "scale", "translate", "overflow", "margin", "margin-inline", "inset", "padding", "text-indent"])
@pytest.mark.parametrize("value", ["\xa0", "\\20 ", "\u2003", ",", "/", "()", "\\0"])
def test_a_value_of_nothing_is_read(name: str, value: str) -> None:
    """A blank that CSS does not know as one, or a mark alone, is no value, and raises nothing."""
    assert html_text(f'<p style="position:absolute;{name}:{value}">seen').text == "seen"
