#!/usr/bin/env python3
"""Puts style sheet and script of the explorer into its page, with a policy that permits these two and nothing else.

usage: assemble_page.py FOLDER SCRIPT NOTICE TEXTS OUT

FOLDER holds index.html and style.css. The lines with `tarry:policy`, `tarry:style` and `tarry:script` in index.html are
replaced; `tarry:title` and `tarry:data` stay for `tarry explore`, which fills them in. TEXTS, the definitions of metrics,
become a block of data as its own are.
"""
import base64
import hashlib
import pathlib
import sys
import zlib

FILLED = ("policy", "style", "script")
KEPT = ("title", "data")


def digest(text):
    """The text as a policy names it."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def policy(style, script):
    rules = ["default-src 'none'", f"script-src {digest(script)}", f"style-src {digest(style)}", "img-src data: blob:",
             "base-uri 'none'", "form-action 'none'"]
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'


def block(name, content):
    return f'<script type="text/plain" id="{name}">{base64.b64encode(zlib.compress(content, 9)).decode()}</script>\n'


def main(folder, script_path, notice_path, texts_path, out):
    folder = pathlib.Path(folder)
    page = (folder / "index.html").read_text()
    style = "\n" + (folder / "style.css").read_text()
    script = f"\n/*\n{pathlib.Path(notice_path).read_text()}*/\n" + pathlib.Path(script_path).read_text()
    for name, text, end in (("style", style, "</style"), ("script", script, "</script")):
        if end in text.lower() or "<!--" in text:
            sys.exit(f"assemble_page.py: the {name} contains {end} or <!--, which ends it early in a page")
    parts = {"policy": policy(style, script), "style": f"<style>{style}</style>", "script": f"<script>{script}</script>"}
    for name in FILLED + KEPT:
        if page.count(f"<!-- tarry:{name} -->") != 1:
            sys.exit(f"assemble_page.py: index.html needs one line <!-- tarry:{name} -->")
    for name in FILLED:
        page = page.replace(f"<!-- tarry:{name} -->", parts[name])
    data = "<!-- tarry:data -->"
    page = page.replace(data, block("metric-texts", pathlib.Path(texts_path).read_bytes()) + data)
    pathlib.Path(out).write_text(page)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
