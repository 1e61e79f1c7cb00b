"""Quoted history as the usual programs write it in HTML: read as text, then folded."""

from __future__ import annotations

import pytest

from proton_safe.mime.history import FOLDED_MARK, fold
from proton_safe.mime.html_text import html_text

HTML: dict[str, str] = {
    "gmail": '<div dir="ltr">Six is fine.<br clear="all"><div><br></div><span>-- </span><br><div>Ada</div></div><br><div cla'
    'ss="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Nov 30, 2026 at 10:00 AM Bo Berg &lt;<a href="mailt'
    'o:bo@berg.example">bo@berg.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0'
    'px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div dir="ltr">The tide is at six.<div><'
    "br></div><div>Bo</div></div></blockquote></div>",
    "outlook": '<div class="WordSection1"><p class="MsoNormal">Six is fine.</p><p class="MsoNormal">&nbsp;</p><div style="bord'
    'er:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>Von:</b> Bo Berg &lt'
    ";bo@berg.example&gt; <br><b>Gesendet:</b> Montag, 30. November 2026 10:00<br><b>An:</b> Ada<br><b>Betreff:</b>"
    ' Flut</p></div><p class="MsoNormal">The tide is at six.</p></div>',
    "owa": '<div>Six is fine.</div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg"><font><b>From:</b> B'
    "o<br><b>Sent:</b> Monday<br><b>To:</b> Ada<br><b>Subject:</b> Tide</font><div>&nbsp;</div></div><div>The tide<"
    "/div>",
    "proton": '<div style="font-family: Arial">Six is fine.</div><div class="protonmail_signature_block"><div>Sent with Proto'
    'n Mail secure email.</div></div><div class="protonmail_quote">On Monday, 30 November 2026 at 10:00, Bo Berg &l'
    't;bo@berg.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite"><div>The tide</div></blockquo'
    "te><br></div>",
    "apple": '<html><body>Six is fine.<div><br><blockquote type="cite"><div>On Nov 30, 2026, at 10:00, Bo Berg &lt;bo@berg.e'
    "xample&gt; wrote:</div><br><div>The tide</div></blockquote></div><br></body></html>",
    "thunderbird": '<body><p>Six is fine.</p><div class="moz-cite-prefix">Am 30.11.26 um 10:00 schrieb Bo Berg:<br></div><blockquo'
    'te type="cite" cite="mid:x"><p>The tide</p></blockquote><div class="moz-signature">-- <br>Ada</div></body>',
    "yahoo": '<div>Six is fine.</div><div class="yahoo_quoted"><div>On Monday, November 30, 2026 at 10:00:00 AM GMT+1, Bo Be'
    "rg &lt;bo@berg.example&gt; wrote:</div><div><br></div><div>The tide is at six.</div></div>",
}


@pytest.mark.parametrize("program", HTML)
def test_what_programs_write_in_html_folds_as_well(program: str) -> None:
    """Product page 4: `blockquote` comes as lines behind `> `, the mails of Outlook and Yahoo come unmarked; signatures stay."""
    found = fold(html_text(HTML[program]).text)
    kept = [line for line in found.text.split("\n") if line.strip()]
    own = ["Six is fine.", *(["Sent with Proton Mail secure email."] if program == "proton" else [])]
    signature = ["--", "Ada"] if program in {"gmail", "thunderbird"} else []
    assert kept == ([*own, FOLDED_MARK, *signature] if program == "thunderbird" else [*own, *signature, FOLDED_MARK])
    assert found.folded_chars > 40
