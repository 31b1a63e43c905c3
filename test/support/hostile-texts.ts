// Clipboard contents of a hostile page. Any script in them that ran would increase `pwned` of the
// window.

const RUN = 'top.pwned=(top.pwned||0)+1'
const PLAYER = 'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE'

export const HOSTILE_HTML: readonly string[] = [
  `<a href="javascript:${RUN}">one</a><a href="JaVaScRiPt:${RUN}">two</a><a href="&#106;avascript:${RUN}">three</a>`,
  `<a href="java\tscript:${RUN}">tab</a><a href=" &#1;javascript:${RUN}">sign</a><a href="vbscript:x">old</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">data</a><a href="https://ok.example/" onclick="${RUN}" style="position:fixed;inset:0">cover</a>`,
  `<img src=x onerror="${RUN}"><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${RUN}'/>"><b onmouseover=${RUN}>b</b>`,
  `<img/onerror='${RUN}'/src=x><img src=x onerror\n=\n"${RUN}"><img """><script>${RUN}</script>">`,
  `<svg onload="${RUN}"><script>${RUN}</script><a xlink:href="javascript:${RUN}"><text>t</text></a><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe><iframe src="javascript:${RUN}"></iframe><iframe src="${PLAYER}" srcdoc="<script>${RUN}</script>" onload="${RUN}"></iframe>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object><embed src="javascript:${RUN}"><base href="javascript:/a/-${RUN}//">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}"><link rel=stylesheet href="data:text/css,*{display:none}"><style>body{display:none}</style>`,
  `<p style="position:fixed;inset:0;z-index:9;background:url(https://evil.example/a.png)">over everything</p><p style="width:expression(${RUN})">x</p>`,
  `<input onfocus="${RUN}" autofocus><details open ontoggle="${RUN}"><summary>s</summary>x</details><form action="javascript:${RUN}"><button>b</button></form>`,
  `<video onloadstart="${RUN}" src=x><source onerror="${RUN}" src=x></video><audio src=x onerror=${RUN}></audio>`,
  `<p data-mce-href="javascript:${RUN}" data-mce-style="position:fixed">m</p><span data-mce-object="iframe" data-mce-p-src="javascript:${RUN}" data-mce-html="<script>${RUN}</script>">o</span>`,
]

export const HOSTILE_MARKDOWN: readonly string[] = [
  `[one](javascript:${RUN}) and [two](<java\nscript:${RUN}>) [three](&#106;avascript:${RUN})`,
  `![x](javascript:${RUN}) ![y](https://evil.example/"onerror="${RUN}) ![z](x" onerror="${RUN})`,
  `<img src=x onerror=${RUN}>\n\n<script>${RUN}</script>\n\n<svg onload=${RUN}></svg>`,
  `[a]: javascript:${RUN}\n\n[a] <javascript:${RUN}> <https://a.example/"onmouseover="${RUN}">`,
  `<div style="position:fixed;inset:0" onclick="${RUN}">**x**</div>\n\n<a href="javascript:${RUN}">**y**</a>`,
  `\`\`\`html" onload="${RUN}\n<script>${RUN}</script>\n\`\`\`\n\n\`<img src=x onerror=${RUN}>\``,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>\n\n> <img src=x\nonerror=${RUN}>\n\n<img src="x\n" onerror="${RUN}">`,
  `<b <img src=x onerror=${RUN}>>text</b> <img <b> src=x onerror=${RUN}> <p/onclick=${RUN}>x`,
]

const MANY = 20_000
/** Texts that once took more than half a minute to paste. */
export const SLOW_HTML: readonly string[] = [
  `<p>${'<style '.repeat(MANY)}`,
  `<p>${'<style>a,'.repeat(MANY)}{{{</style>`,
  `<p ${' '.repeat(MANY)}>x</p>${'<a '.repeat(MANY)}`,
  `<style>${'a,'.repeat(MANY)}${'{'.repeat(MANY)}</style><p>x</p>`,
  '<div>'.repeat(MANY),
]
export const SLOW_MARKDOWN: readonly string[] = [
  `# a\n\n${'_a*'.repeat(MANY)}`,
  `# a\n\n${'['.repeat(MANY)}`,
  `# a\n\n__a ${'b '.repeat(MANY)}`,
  `${'|'.repeat(MANY)}\nx`,
  `---\n${' \n'.repeat(MANY)}# a`,
]

/** Prefixes of each payload: ends of tags, comments, cells, headers and text directions. */
const BEFORE: readonly string[] = [
  '',
  '">',
  "'>",
  '-->',
  ']]>',
  '</title>',
  '</script>',
  '</textarea>',
  '&lt;',
  '=1+',
  '"',
  '@',

  '\u202e',
  '\u2066',
  '\u200b',
  '`',
  '> ',
  '\\',
  '%0d%0aBcc:',
  '{{',
  'x\u0000',
  '\ud800',
  '+',
  '-',
  '\t=',
]
const PAYLOADS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg/onload=${RUN}>`,
  `<a href="javascript:${RUN}">one</a>`,
  `javascript:${RUN}`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<!--<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>&b;`,
  '<style>*{display:none}</style><base href=//evil.example>',
  'https://evil.example/?a=1&b="2" www.evil.example eve@evil.example',
  `cmd|'/C calc'!A0,"=HYPERLINK(1)"`,
  '</content></entry><entry><title>evil</title>',
  '<form action=//evil.example><button>Sign in</button></form>',
]
/** Three hundred in one line each, short enough for a name. */
export const HOSTILE_LINES: readonly string[] = BEFORE.flatMap((before) =>
  PAYLOADS.map((payload) => before + payload),
)
