// Clipboard HTML in the style of various programs, and the HTML that the editor must make of it.
// Used in jsdom and in the browser.

export type PasteCase = readonly [from: string, html: string, clean: string]

const word = (inside: string): string =>
  `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">\r\n<head>\r\n<meta name=ProgId content=Word.Document>\r\n<base href="file:///C:/Temp/">\r\n<!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]-->\r\n<style>\r\n<!--\r\n p.MsoNormal, li.MsoNormal\r\n\t{margin:0cm; font-weight:bold;}\r\nspan.MsoFootnoteReference{vertical-align:super;}\r\n-->\r\n</style></head>\r\n<body lang=DE style='tab-interval:35.4pt'>\r\n<!--StartFragment-->\r\n${inside}\r\n<!--EndFragment-->\r\n</body></html>`
const item = (marker: string, text: string, level = 1, list = 0): string =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${36 * level}pt;text-indent:-18.0pt;mso-list:l${list} level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-bidi-font-weight:bold'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;\r\n</span></span></span><![endif]>${text}<o:p></o:p></p>\r\n`
const google = (inside: string): string =>
  `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1a2b">${inside}</b><br class="Apple-interchange-newline">`
const run = (
  text: string,
  style = 'font-weight:400;font-style:normal;text-decoration:none;vertical-align:baseline',
): string =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;${style};white-space:pre;white-space:pre-wrap;">${text}</span>`
const block = (inside: string): string =>
  `<p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${inside}</p>`
const point = (text: string, level = 1, more = ''): string =>
  `<li dir="ltr" style="list-style-type:disc;font-weight:700;white-space:pre;" aria-level="${level}"${more}><p dir="ltr" style="line-height:1.38;" role="presentation">${run(text)}</p></li>`

const KATEX =
  '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="mord">x2</span></span></span>'
const WORDS_OF_THE_WORLD: PasteCase[] = [
  [
    'readings of two words, one after the other',
    '<p><ruby><rb>東</rb><rp>(</rp><rt>とう</rt><rp>)</rp></ruby><ruby>京<rt>きょう</rt></ruby>へ</p>',
    '<p><ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>へ</p>',
  ],
  [
    'a formula in MathML, and one drawn by KaTeX',
    `<p>Mass: <math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>, ${KATEX}.</p>`,
    '<p>Mass: E = mc<sup>2</sup>, <code>x^2</code>.</p>',
  ],
  [
    'struck out by an old element, and by a style',
    '<p>Price <strike>40</strike> <span style="text-decoration:line-through">35</span> 30</p>',
    '<p>Price <s>40</s> <s>35</s> 30</p>',
  ],
  [
    'emoji drawn as images, one within a link',
    '<p>Late <img alt="🚂" src="https://x.example/emoji/svg/1f682.svg"> <img alt=":tada:" data-stringify-emoji=":tada:" src="https://x.example/1f389@2x.png"> <a href="https://x.example/x">Read <img class="emoji" alt="📖" src="https://x.example/1f4d6.svg"></a></p>',
    '<p>Late 🚂 🎉 <a href="https://x.example/x">Read 📖</a></p>',
  ],
]
const WORD: PasteCase[] = [
  [
    'Word: bold and italic with notes for other scripts',
    word(
      `<p class=MsoNormal>A <b style='mso-bidi-font-weight:normal'>bold</b> and <i\r\nstyle='mso-bidi-font-style:normal'>italic <u>line</u></i> <s>gone</s> H<sub>2</sub>O m<sup>2</sup><o:p></o:p></p>`,
    ),
    '<p>A <strong>bold</strong> and <em>italic <u>line</u></em> <s>gone</s> H<sub>2</sub>O m<sup>2</sup></p>',
  ],
  [
    'Word: headings, a title, a quotation, empty lines and spaces',
    word(
      `<p class=MsoTitle>My title<o:p></o:p></p><h1 style='mso-style-link:"x;y"'><b><span lang=EN-US>Heading</span></b><o:p></o:p></h1><h2>Second<o:p></o:p></h2>\r\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\r\n<p class=MsoNormal>One<span style='mso-spacerun:yes'>  </span>two<span style='mso-tab-count:1'>      </span>three<br>\r\nfour<br>\r\n</p><p class=MsoQuote><i>Said</i></p>`,
    ),
    '<h2>My title</h2><h2>Heading</h2><h2>Second</h2><p>One two three<br>four</p><blockquote><p><em>Said</em></p></blockquote>',
  ],
  [
    'Word: a heading with its number',
    word(
      `<h2 style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.2<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>Intro<o:p></o:p></h2>`,
    ),
    '<h2>1.2 Intro</h2>',
  ],
  [
    'Word: bullets of three levels and back',
    word(item('·', 'One') + item('o', 'One a', 2) + item('§', '<b>deep</b>', 3) + item('·', 'Two')),
    '<ul><li>One<ul><li>One a<ul><li><strong>deep</strong></li></ul></li></ul></li><li>Two</li></ul>',
  ],
  [
    'Word: numbers that go on after a paragraph, letters and Roman numbers',
    word(
      `${item('1.', 'a')}<p class=MsoListParagraph>between</p>${item('2.', 'b')}${item('b)', 'c', 2)}${item('iv.', 'd', 3)}${item('·', 'bullets', 1, 1)}`,
    ),
    '<ol><li>a</li></ol><p>between</p><ol start="2"><li>b<ol style="list-style-type: lower-alpha;" start="2"><li>c<ol style="list-style-type: lower-roman;" start="4"><li>d</li></ol></li></ol></li></ol><ul><li>bullets</li></ul>',
  ],
  [
    'Word: filtered lists, whose bullets are letters of the text',
    word(
      `<p class=MsoListParagraphCxSpFirst style='margin-left:36.0pt;text-indent:-18.0pt'><span style='font-family:Symbol'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span>One</p><p class=MsoListParagraphCxSpLast style='margin-left:1.0in;text-indent:-.25in'><span>1.<span>&nbsp;&nbsp; </span></span>Sub</p>`,
    ),
    '<ul><li>One<ol><li>Sub</li></ol></li></ul>',
  ],
  [
    'Word: a table with a repeated first row and joined cells',
    word(
      `<table class=MsoTableGrid border=1 cellspacing=0 style='border-collapse:collapse;mso-yfti-tbllook:1184'><thead><tr><td width=100 colspan=2 style='width:75pt'><p class=MsoNormal align=center><b>Head<o:p></o:p></b></p></td></tr></thead><tr style='mso-yfti-irow:1'><td rowspan=2><p class=MsoNormal>A<o:p></o:p></p><p class=MsoNormal>B</p></td><td><p class=MsoNormal><o:p>&nbsp;</o:p></p></td></tr><tr><td><p class=MsoNormal>C</p></td></tr></table>`,
    ),
    '<table><thead><tr><th colspan="2">Head</th></tr></thead><tbody><tr><td rowspan="2"><p>A</p><p>B</p></td><td></td></tr><tr><td>C</td></tr></tbody></table>',
  ],
  [
    'Word: a footnote, and a remark in the margin',
    word(
      `<p class=MsoNormal>Fact<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference><span style='font-size:11.0pt'>[1]</span></span><![endif]></span></span></a> and <a style='mso-comment-reference:A_1;mso-comment-date:20230101T1200'>more</a><span class=MsoCommentReference><span style='font-size:8.0pt'><![if !supportAnnotations]><a class=msocomanchor id="_anchor_1" onmouseover="msoCommentShow('_anchor_1','_com_1')" href="#_msocom_1" name="_msoanchor_1">[A1]</a><![endif]><span style='mso-special-character:comment'>&nbsp;</span></span></span></p><div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href="#_ftnref1" name="_ftn1"><span class=MsoFootnoteReference>[1]</span></a> The note.</p></div></div><div style='mso-element:comment-list'><hr class=msocomoff><div style='mso-element:comment'><div id="_com_1" class=msocomtxt><p class=MsoCommentText>Really?</p></div></div></div>`,
    ),
    '<p>Fact<sup class="footnote"><a href="#fn-key">1</a></sup> and more</p><section class="footnotes"><ol><li id="fn-key"><p>The note.</p></li></ol></section>',
  ],
  [
    'Word: images on its own disk, links',
    word(
      `<p class=MsoNormal>See <!--[if gte vml 1]><v:shape id="x"><v:imagedata src="file:///C:/a.png"/></v:shape><![endif]--><![if !vml]><img width=99 height=50 src="file:///C:/Temp/a.png" alt="A lamp" v:shapes="x"><![endif]> <a href="https://example.org/a?b=1&amp;c=2"><span style='color:blue'><u>here</u></span></a> <a href="file:///C:/b.docx">not</a></p><p class=MsoNormal><img src="file:///C:/Temp/b.png"></p>`,
    ),
    '<p>See A lamp <a href="https://example.org/a?b=1&amp;c=2">here</a> not</p>',
  ],
  [
    'Word on the web: each item a list of its own',
    `<div class="OutlineElement Ltr"><p class="Paragraph" role="heading" aria-level="1"><span class="TextRun"><span class="NormalTextRun">Top</span></span><span class="EOP">&nbsp;</span></p></div><div class="ListContainerWrapper"><ol class="NumberListStyle1" role="list" start="3"><li data-aria-level="1" class="OutlineElement"><p class="Paragraph"><span class="TextRun" style="font-weight:bold">A</span><span class="EOP">&nbsp;</span></p></li></ol></div><div class="ListContainerWrapper"><ul role="list"><li data-aria-level="2"><p class="Paragraph"><span>B</span><span class="EOP">&nbsp;</span></p></li></ul></div>`,
    '<h2>Top</h2><ol start="3"><li><strong>A</strong><ul><li>B</li></ul></li></ol>',
  ],
  [
    'Excel: bold by a class',
    `<style>\n<!--table\n\t{mso-displayed-decimal-separator:"\\.";}\n.xl65\n\t{font-weight:700;}\n--></style><body><table border=0><col width=87><tr height=20><td class=xl65 width=87>Sum</td><td align=right>4</td></tr></table></body>`,
    '<table><tbody><tr><td><strong>Sum</strong></td><td>4</td></tr></tbody></table>',
  ],
]

const OFFICE: PasteCase[] = [
  [
    'LibreOffice: letters, a numbered list and code',
    `<!DOCTYPE html><html><head><style type="text/css">p { margin-bottom: 0.25cm }</style></head><body lang="en-GB" dir="ltr"><h1 class="western">Top</h1>\n<p style="margin-bottom: 0cm"><font color="#ff0000"><b>Bold</b></font> <u>under</u>\nand <strike>struck</strike><br/>\n\n</p><ol start="4" type="a"><li><p style="margin-bottom: 0cm">first</p>\n<ul><li><p>below</p></li></ul></li></ol>\n<pre class="western">code\n  two</pre></body></html>`,
    '<h2>Top</h2><p><strong>Bold</strong> <u>under</u> and <s>struck</s></p><ol style="list-style-type: lower-alpha;" start="4"><li>first<ul><li>below</li></ul></li></ol><pre>code\n  two</pre>',
  ],
  [
    'LibreOffice: a table with heads, a footnote, a link',
    `<table width="100%" cellpadding="4"><col width="128*"/><thead><tr valign="top"><th width="50%"><p class="western">H</p></th></tr></thead><tbody><tr><td><p><br/></p></td></tr></tbody></table><p>Text<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a> <font color="#000080"><u><a href="https://example.org/">link</a></u></font></p><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>Note</p></div>`,
    '<table><thead><tr><th>H</th></tr></thead><tbody><tr><td></td></tr></tbody></table><p>Text<sup class="footnote"><a href="#fn-key">1</a></sup> <a href="https://example.org/">link</a></p><section class="footnotes"><ol><li id="fn-key"><p>Note</p></li></ol></section>',
  ],
  [
    'Google Docs: letters by styles alone',
    google(
      block(
        run('Bold', 'font-weight:700') +
          run(' more', 'font-weight:700') +
          run(', ') +
          run('slanted', 'font-style:italic') +
          run(' ') +
          run(
            'under',
            'font-weight:400;text-decoration:underline;-webkit-text-decoration-skip:none',
          ) +
          run(' ') +
          run('struck', 'text-decoration:line-through') +
          run(' both', 'text-decoration:underline line-through') +
          run(' H') +
          run('2', 'vertical-align:sub') +
          run('O m') +
          run('2', 'vertical-align:super'),
      ),
    ),
    '<p><strong>Bold more</strong>, <em>slanted</em> <u>under</u> <s>struck</s><u><s> both</s></u> H<sub>2</sub>O m<sup>2</sup></p>',
  ],
  [
    'Google Docs: headings, a link, an empty line and a line break',
    google(
      `<h1 dir="ltr">${run('Top', 'font-weight:700')}</h1><br>${block(
        `${run('See ')}<a href="https://example.org/x" style="text-decoration:none;">${run('this', 'text-decoration:underline')}</a><a href="#heading=h.1">${run(' part')}</a>${run('<br>next')}`,
      )}<br>`,
    ),
    '<h2>Top</h2><p>See <a href="https://example.org/x">this</a> part<br>next</p>',
  ],
  [
    'Google Docs: a list straight in a list, twice, and one that starts further in',
    google(
      `<ul style="margin-top:0;">${point('one')}<ul>${point('nested', 2)}<ul>${point('deeper', 3)}</ul></ul>${point('two')}</ul><ol start="3"><ol>${point('in')}</ol>${point('out')}</ol>`,
    ),
    '<ul><li>one<ul><li>nested<ul><li>deeper</li></ul></li></ul></li><li>two</li></ul><ol start="3"><li>in</li><li>out</li></ol>',
  ],
  [
    'Google Docs: things to do',
    google(
      `<ul>${point('done', 1, ' role="checkbox" aria-checked="true"').replace('<p', '<img src="data:image/png;base64,iVBORw0KGgo=" width="17.6px" height="17.6px" alt="checked" aria-roledescription="checkbox"/><p')}${point('open', 1, ' role="checkbox" aria-checked="false"')}</ul>`,
    ),
    '<ul class="tasks"><li class="task done">done</li><li class="task">open</li></ul>',
  ],
  [
    'Google Docs: things to do, whose drawn boxes say nothing of themselves',
    google(
      `<ul>${['true', 'false'].map((is) => point(is, 1, ` role="checkbox" aria-checked="${is}"`).replace('<p', '<span><img src="data:image/png;base64,iVBORw0KGgo=" width="17.6px" height="17.6px"></span><p')).join('')}</ul>`,
    ),
    '<ul class="tasks"><li class="task done">true</li><li class="task">false</li></ul>',
  ],
  [
    'Google Docs: links to places of the text itself',
    google(
      block(
        `<a href="#bookmark=id.1a2b">${run('See')}</a> <a href="#heading=h.3c4d">${run('there')}</a> <a href="https://a.example/#part">${run('and')}</a>`,
      ),
    ),
    '<p>See there <a href="https://a.example/#part">and</a></p>',
  ],
  [
    'Evernote, a to-do list',
    '<ul data-todo="true"><li data-checked="true"><div>done</div></li><li data-checked="false"><div>open</div></li></ul>',
    '<ul class="tasks"><li class="task done">done</li><li class="task">open</li></ul>',
  ],
  [
    'OneNote and Quill, to-do lists',
    '<ul><li data-tag="to-do:completed">done</li><li data-tag="to-do">open</li></ul><p>x</p><ol><li data-list="checked">done</li><li data-list="unchecked">open</li></ol>',
    '<ul class="tasks"><li class="task done">done</li><li class="task">open</li></ul><p>x</p><ul class="tasks"><li class="task done">done</li><li class="task">open</li></ul>',
  ],
  [
    'readings on two sides',
    '<p><ruby><rb>東</rb><rb>京</rb><rtc><rt>とう</rt><rt>きょう</rt></rtc><rtc>Tokyo</rtc></ruby></p>',
    '<p><ruby>東京<rt>とう きょう Tokyo</rt></ruby></p>',
  ],
  [
    'Notion: things to do',
    '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span></li><li><div class="checkbox checkbox-off"></div> <span>open</span></li></ul>',
    '<ul class="tasks"><li class="task done">done</li><li class="task">open</li></ul>',
  ],
  [
    'Google Docs: a table and an image',
    google(
      `<div dir="ltr" align="left"><table style="border:none;border-collapse:collapse"><colgroup><col width="312"/><col width="312"/></colgroup><tbody><tr style="height:0pt"><td colspan="2" rowspan="1" style="border:solid #000 1pt">${block(run('A', 'font-weight:700'))}</td></tr></tbody></table></div>${block(
        run(
          '<span style="border:none;display:inline-block;width:602px"><img src="https://lh3.googleusercontent.com/abc=s0" width="602" height="400" alt="A harbour"/></span>',
        ),
      )}`,
    ),
    '<table><tbody><tr><td colspan="2"><strong>A</strong></td></tr></tbody></table><p><a href="https://lh3.googleusercontent.com/abc=s0">A harbour</a></p>',
  ],
  [
    'Google Sheets',
    `<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" dir="ltr" data-sheets-root="1"><colgroup><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="overflow:hidden;font-weight:bold;text-decoration:underline;">Sum</td><td>4</td></tr></tbody></table>`,
    '<table><tbody><tr><td><strong><u>Sum</u></strong></td><td>4</td></tr></tbody></table>',
  ],
  [
    'Apple Notes: looks by classes, a list in a list',
    `<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px; font: 12.0px Helvetica}\nspan.s1 {text-decoration: underline}\nspan.s2 {font-weight: bold; text-decoration: line-through}</style></head><body><p class="p1"><b>Title</b></p><p class="p2"><br></p><p class="p1">An <span class="s1">under</span><span class="Apple-converted-space">&nbsp;</span><span class="s2">x</span></p><ul class="ul1"><li class="li1"><span class="s3"></span>a</li><ul class="ul1"><li class="li1">b</li></ul></ul></body></html>`,
    '<p><strong>Title</strong></p><p>An <u>under</u> <strong><s>x</s></strong></p><ul><li>a<ul><li>b</li></ul></li></ul>',
  ],
]

/** The footnotes of several programs. */
const FOOTNOTES: PasteCase[] = (
  [
    [
      'pandoc: footnotes',
      '<p>a<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>One</p><p>more<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
      'One</p><p>more',
    ],
    [
      'GitHub: footnotes',
      '<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p><section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1"><p>One <a href="#user-content-fnref-1" data-footnote-backref="" aria-label="Back to reference 1">↩</a></p></li></ol></section>',
      'One',
    ],
    [
      'Google Docs: footnotes',
      '<p>a<sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup></p><hr><div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a> One</p></div>',
      'One',
    ],
  ] as const
).map(([name, html, note]) => [
  name,
  html,
  `<p>a<sup class="footnote"><a href="#fn-key">1</a></sup></p>${html.includes('<hr><div>') ? '<hr>' : ''}<section class="footnotes"><ol><li id="fn-key"><p>${note}</p></li></ol></section>`,
])

const PAGES: PasteCase[] = [
  [
    'a post of this blog: a callout, tasks, contents, a footnote',
    '<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol><li><a href="#h-a">A</a></li></ol></nav><aside class="callout"><p>Mind <b>it</b></p></aside><ul class="tasks"><li class="task done"><span class="visually-hidden">Done: </span>a</li></ul><p>x\u2060<sup class="footnote"><a href="#fn-key" id="fnref-key" aria-label="Footnote 1">1</a></sup></p><section class="footnotes"><h2>Footnotes</h2><ol><li id="fn-key"><p>One <a href="#fnref-key" class="footnote-back">↩</a></p></li></ol></section>',
    '<nav class="contents"></nav><aside class="callout"><p>Mind <strong>it</strong></p></aside><ul class="tasks"><li class="task done">a</li></ul><p>x\u2060<sup class="footnote"><a href="#fn-key">1</a></sup></p><section class="footnotes"><ol><li id="fn-key"><p>One</p></li></ol></section>',
  ],
  [
    'Markdown: a callout',
    '<blockquote><p>[!NOTE]\nMind it</p></blockquote>',
    '<aside class="callout"><p>Mind it</p></aside>',
  ],
  [
    'Notion: a list, a callout and code',
    `<meta charset='utf-8'><!-- notionvc: 1 -->\n<h1>Plan</h1>\n<ul>\n<li>One\n<ul>\n<li>In <code>it</code></li>\n</ul>\n</li>\n</ul>\n<aside>\n💡 Note\n</aside>\n<blockquote>\nSaid\n</blockquote>\n<pre><code class="language-javascript">if (a &lt; b) {\n  go()\n}\n</code></pre>`,
    '<h2>Plan</h2><ul><li>One<ul><li>In <code>it</code></li></ul></li></ul><p>💡 Note</p><blockquote><p>Said</p></blockquote><pre class="language-javascript"><code>if (a &lt; b) {\n  go()\n}</code></pre>',
  ],
  [
    'GitHub: a heading with its anchor, tasks, coloured code, a table',
    `<div class="markdown-heading" dir="auto"><h2 tabindex="-1" class="heading-element" dir="auto" style="font-weight:600">Use</h2><a id="user-content-use" class="anchor" aria-label="Permalink: Use" href="#use"><svg class="octicon"><path d="M0"></path></svg></a></div><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked disabled> done</li><li class="task-list-item"><input type="checkbox" disabled> open</li></ul><div class="highlight highlight-source-js" dir="auto"><pre><span class="pl-k">const</span> <span class="pl-s1">a</span>\n\n<span class="pl-k" style="font-weight:bold">let</span> b</pre><div class="zeroclipboard-container"><clipboard-copy value="x"><svg></svg></clipboard-copy></div></div><markdown-accessiblity-table><table><thead><tr><th align="left">H</th></tr></thead><tbody><tr><td><kbd>Q</kbd> <del>x</del></td></tr></tbody></table></markdown-accessiblity-table>`,
    '<h2>Use</h2><ul class="tasks"><li class="task done">done</li><li class="task">open</li></ul><pre class="language-js"><code>const a\n\nlet b</code></pre><table><thead><tr><th>H</th></tr></thead><tbody><tr><td><kbd>Q</kbd> <del>x</del></td></tr></tbody></table>',
  ],
  [
    'Gmail: lines in boxes, a quoted mail, a counting image',
    `<div dir="ltr"><div>Hello <b>you</b>,</div><div><br></div><div>see<br>below</div><img src="https://track.example/o.gif" width="1" height="1" alt="seen"></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Monday Ada wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid"><div dir="ltr">Old<br><br>words</div></blockquote></div>`,
    '<p>Hello <strong>you</strong>,</p><p>see<br>below</p><p>On Monday Ada wrote:</p><blockquote><p>Old</p><p>words</p></blockquote>',
  ],
  [
    'VS Code: lines in boxes',
    `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: 'Droid Sans Mono', 'monospace', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span style="color: #569cd6;">const</span><span style="color: #d4d4d4;"> a = &lt;b&gt;</span></div><br><div><span>&nbsp; </span><span style="font-weight: bold;">run</span>()</div></div>`,
    '<pre><code>const a = &lt;b&gt;\n\n  run()</code></pre>',
  ],
  [
    'VS Code: a word',
    `<div style="font-family: Menlo, Monaco, 'Courier New', monospace;white-space: pre;"><div><span style="color: #569cd6;">makeLamp()</span></div></div>`,
    '<code>makeLamp()</code>',
  ],
  [
    'IntelliJ: lines by breaks',
    `<html><body><pre style="background-color:#2b2b2b;font-family:'JetBrains Mono',monospace;"><span style="color:#cc7832;">int </span>a;<br>  <span style="font-style:italic;">b</span>();</pre></body></html>`,
    '<pre>int a;\n  b();</pre>',
  ],
  [
    'a page: some words out of a line',
    `<meta charset='utf-8'><span style="color: rgb(0, 0, 0); font-size: 16px; font-style: normal; font-weight: 400; text-decoration-style: initial; display: inline !important; float: none;">some<span>&nbsp;</span></span><b>bold</b><span style="font-weight: 400"> words</span><br class="Apple-interchange-newline">`,
    'some&nbsp;<strong>bold</strong> words',
  ],
  ['a page: lines without a paragraph', 'one<br>two<br>\nthree<br>', 'one<br>two<br>three'],
  [
    'a chat: lines by the signs themselves',
    '<div dir="rtl"><p>نص</p></div><p>\n  <span style="white-space: pre-wrap;">one\n two\n</span>\n</p><p style="white-space:pre-line">three</p>',
    '<p dir="rtl">نص</p><p>one<br>two</p><p>three</p>',
  ],
  [
    'a mail: an empty line between lines',
    'one<br>two<br> <br>three',
    '<p>one<br>two</p><p>three</p>',
  ],
  [
    'a page: bold and links around blocks',
    `<article><b><p>One</p><p>Two</p></b><a href="https://example.org/p"><div><h3>Card</h3><div>more</div></div></a>loose<b> </b>words<br><br>and more</article>`,
    '<p><strong>One</strong></p><p><strong>Two</strong></p><h3><a href="https://example.org/p">Card</a></h3><p><a href="https://example.org/p">more</a></p><p>loose words</p><p>and more</p>',
  ],
  [
    'a page: images and recordings of others, hidden words, a layout of tables',
    `<table role="presentation"><tr><td><p>Left</p></td><td>Right</td></tr></table><figure><img src="https://cdn.example/a.png" srcset="//cdn.example/b.png 2x" alt="A  cat"><figcaption>My cat</figcaption></figure><p><a href="https://example.org/"><img src="https://example.org/l.png" alt="home"></a><img src="cid:x" alt="lost"><span style="display:none">no</span></p><video controls title="Film"><source src="https://example.org/v.mp4"></video><iframe src="https://www.example.org/embed/1"></iframe>`,
    '<p>Left</p><p>Right</p><p><a href="https://cdn.example/a.png">A cat</a></p><p>My cat</p><p><a href="https://example.org/">home</a>lost</p><p><a href="https://example.org/v.mp4">Film</a></p><p><a href="https://www.example.org/embed/1">https://www.example.org/embed/1</a></p>',
  ],
  [
    'a page: images that may stay, with what they show',
    `<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="dot" width="4" height="2" style="border:1px"><img src="/v1/storage/buckets/content/files/f1/view?project=blog" alt=""><img src="/v1/account" alt="none"></p>`,
    '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="dot" width="4" height="2"><img src="/v1/storage/buckets/content/files/f1/view?project=blog" alt="">none</p>',
  ],
  [
    'a page: terms, a list of boxes, Arabic, a quotation, an abbreviation',
    `<dl><dt>T</dt><dd><p>D</p></dd></dl><ul><div><li>a</li></div>text</ul><p dir="rtl" lang="ar">نص</p><p><q cite="x">said</q> <abbr title="HyperText" class="x">HT</abbr> <var>x</var></p><li>stray</li>`,
    '<dl><dt>T</dt><dd>D</dd></dl><ul><li>atext</li></ul><p dir="rtl">نص</p><p><q>said</q> <abbr title="HyperText">HT</abbr> <var>x</var></p><ul><li>stray</li></ul>',
  ],
  [
    'a hostile page',
    `<p onclick="alert(1)">a <a href="javascript:alert(1)">b</a><script>alert(1)</script><svg onload=alert(1)></svg></p><form action="https://x.example"><input name=x>c<button>d</button></form>`,
    '<p>a b</p><p>c</p>',
  ],
  [
    'a web page: bold from 600 on, and an italic that is none',
    '<p><span style="font-weight:500">Medium</span> <span style="font-weight:600">half bold</span> <i style="font-style:normal">icon</i></p>',
    '<p>Medium <strong>half bold</strong> icon</p>',
  ],
  [
    'a web page: cells over one column, and a link with a name and a password in it',
    '<table><tr><td colspan="1" rowspan="1"><a href="https://alice:secret@elsewhere.example/a">a</a></td><td colspan="2">b</td></tr></table>',
    '<table><tbody><tr><td><a href="https://elsewhere.example/a">a</a></td><td colspan="2">b</td></tr></tbody></table>',
  ],
]

export const PASTE_CASES: readonly PasteCase[] = [
  ...WORDS_OF_THE_WORLD,
  ...WORD,
  ...OFFICE,
  ...FOOTNOTES,
  ...PAGES,
]

/** Keys of pasted footnotes are random; the editor gives their marks an id. */
export function withoutKeys(html: string): string {
  return html.replace(/(?<=fn-)[a-z0-9]{8}(?=")/g, 'key').replace(/ id="fnref-[^"]*"/g, '')
}
