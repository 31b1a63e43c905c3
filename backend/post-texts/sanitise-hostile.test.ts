// The cleaner removes everything forbidden from hundreds of hostile texts (threat-model.md §8).
import { expect, test } from 'vitest'
import { makeSanitise } from './sanitise.ts'

const sanitise = makeSanitise({
  publicUrl: 'https://blog.example',
  allowedOrigins: ['https://blog.example', 'https://front.example'],
  contentBucketId: 'content',
})
const FILE = '/v1/storage/buckets/content/files/f1/view?project=blog'
const RUN = 'alert(1)'
const ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\x01javascript:alert(1)',

  '&#106;avascript:alert(1)',
  '&#x6A;avascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'java&Tab;script:alert(1)',
  'vbscript:msgbox(1)',

  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'data:application/xhtml+xml,x',

  'blob:https://blog.example/x',
  'file:///etc/passwd',
  'filesystem:https://x/',
  'view-source:https://x',
  'feed:javascript:alert(1)',
  'about:blank',
  'http://',
  'x:y',
]
const STYLES = [
  'background:url(https://x.example/a)',
  'background-image:url(javascript:alert(1))',
  'width:expression(alert(1))',
  'behavior:url(x.htc)',
  '-moz-binding:url(x)',

  'position:fixed;top:0',
  'z-index:9999',
  'color:var(--x)',
  'color:\\72 ed',
  'color:red/**/;',
  '@import "x"',
  'color:red;}body{display:none',
  'margin-left:-9999px',

  'font-family:"</style><script>alert(1)</script>"',
  'width:calc(1px)',
  'border-image:url(x)',
  'list-style-type:url(x)',
  'color:u\\rl(x)',
  'content:"x"',
]
const RAW = [
  'script',
  'style',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'xmp',
  'plaintext',
  'listing',
  'textarea',
  'title',
  'svg',
  'math',
  'iframe',
  'select',
  'button',
  'object',
]
const HOSTILE = [
  ...ADDRESSES.flatMap((address) => [
    `<a href="${address}">x</a>`,
    `<img src="${address}">`,
    `<iframe src="${address}"></iframe>`,
    `<video poster="${address}" src="${address}"><source src="${address}"><track src="${address}"></video>`,
    `<form action="${address}"><button formaction="${address}">x</button></form><a ping="${address}" href="/x">y</a>`,
  ]),
  ...STYLES.flatMap((style) => [
    `<p style='${style}'>x</p>`,
    `<p style='color:red;${style}'>x</p>`,
  ]),
  ...RAW.flatMap((name) => [
    `<${name}><img src=x onerror=${RUN}></${name}>`,
    `<${name}><p title="</${name}><img src=x onerror=${RUN}>">`,
    `<p><${name}></p><b></${name}><img src=x onerror=${RUN}>`,
    `<svg><${name}><img src=x onerror=${RUN}></${name}></svg>`,
    `<math><mtext><table><mglyph><${name}><img src=x onerror=${RUN}>`,
    `<${name}/><script>${RUN}</script>`,
    `</${name}><img src=x onerror=${RUN}>`,
    `<table><${name}><tr><td></${name}><a href=javascript:${RUN}>x`,
  ]),
  ...[
    'onclick',
    'onerror',
    'onload',
    'ontoggle',
    'onfocus',
    'ONMOUSEOVER',
    'on\nerror',
    'id',
    'name',
    'srcset',
    'srcdoc',
    'slot',
    'is',
    'background',
    'data-x',
    'formaction',
    'xlink:href',
    'autofocus',
    'contenteditable',
    'popover',
    'nonce',
    'accesskey',
  ].flatMap((name) => [
    `<details ${name}="${RUN}" open>x</details>`,
    `<img src="${FILE}"/${name}=${RUN}>`,
    `<div ${name}='javascript:${RUN}'>x</div>`,
  ]),
  `<img src="x\` onerror=${RUN}\`">`,
  `<img """><script>${RUN}</script>">`,
  `<a href="/x"style="x"onclick=${RUN}>y</a>`,
  `<<script>${RUN}//<</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!-- --!><img src=x onerror=${RUN}>`,
  `<![CDATA[<img src=x onerror=${RUN}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${RUN}>`,
  `<!DOCTYPE html [<!ENTITY x "<script>">]>&x;`,
  `<form><form><input onfocus=${RUN} autofocus></form>`,
  `<form id=a></form><button form=a formaction=javascript:${RUN}>x`,
  `<base href="https://x.example/"><a href="y">x</a>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<link rel=stylesheet href=https://x.example/a.css>`,
  `<embed src=javascript:${RUN}><applet code=x></applet><param name=x>`,
  `<svg><animate attributeName=href values=javascript:${RUN} /><a><text>x</text></a></svg>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<math><annotation-xml encoding="text/html"><img src=x onerror=${RUN}></annotation-xml></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<p><svg><desc><p><style><!--</style><img src=x onerror=${RUN}>-->`,
  `<a title="<img src=x onerror=${RUN}>">x</a><img alt="<svg/onload=${RUN}>" src="${FILE}">`,
  `<p title="&quot;><img src=x onerror=${RUN}>">x`,
  `<a href="/x&quot; onclick=&quot;${RUN}">x</a>`,
  `<img srcset="https://x.example/a 1x" src="https://x.example/a"><picture><source srcset=https://x.example/a></picture>`,
  `<body onload=${RUN} background=https://x.example/a><html><head><title>x</title>`,
  `<marquee onstart=${RUN}>x</marquee><image src=x onerror=${RUN}><isindex action=javascript:${RUN}>`,
  `<p class="language-x&quot; onclick=&quot;y">x`,
  `<a href="https://user:pass@x.example\\@blog.example">x</a>`,
  `<a href="/\\x.example">x</a><a href="https://blog.example//x.example">y</a>`,
  `\ud800<p>\udc00</p>`,
]

const ELEMENTS =
  'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code strong b em i u s del ins sub sup small mark abbr cite q kbd samp var time span div a ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td figure figcaption img audio video source track iframe details summary'.split(
    ' ',
  )
const ATTRIBUTES =
  'class style dir lang title href rel target src alt width height controls poster preload colspan rowspan scope span start reversed type value cite datetime open sandbox loading referrerpolicy'.split(
    ' ',
  )
const TAG = /<(\/?)([a-z0-9]+)((?: [a-z]+(?:="[^"<>]*")?)*)( \/)?>/g

/**
 * Reads cleaned HTML with a grammar far narrower than that of HTML, and lists everything that is
 * forbidden.
 */
function faultsOf(html: string): string[] {
  const faults: string[] = []
  const text = html.replace(TAG, (_all, _end, element: string, attributes: string) => {
    if (!ELEMENTS.includes(element)) faults.push(`element ${element}`)
    for (const [, name = '', value = ''] of attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)) {
      if (!ATTRIBUTES.includes(name)) faults.push(`attribute ${name}`)
      const isFine =
        {
          href: /^(?:https?:\/\/|mailto:|tel:|#|\/(?!\/))/.test(value),
          src: /^(?:\/v1\/storage\/buckets\/content\/files\/|https:\/\/www\.youtube-nocookie\.com\/embed\/|https:\/\/player\.vimeo\.com\/video\/)/.test(
            value,
          ),
          poster: value.startsWith('/v1/storage/buckets/content/files/'),
          style:
            /^(?:[a-z-]+: [a-z0-9#.,%()' -]+;(?: |$))+$/i.test(value) &&
            !/url|var|expression|position|z-index/.test(value),
        }[name] ?? true
      if (!isFine) faults.push(`${name} ${value}`)
    }
    return ''
  })
  if (/[<>]/.test(text)) faults.push(`a stray bracket in ${text}`)
  return faults
}

test('the grammar of cleaned HTML finds everything forbidden', () => {
  expect(faultsOf('<p onclick="x">a</p>')).toEqual(['attribute onclick'])
  expect(faultsOf('<script>a</script>')).toEqual(['element script', 'element script'])
  expect(faultsOf('<a href="javascript:x">a</a>')).toEqual(['href javascript:x'])
  expect(faultsOf('<P>')).toEqual(['a stray bracket in <P>'])
})

test('the list of hostile texts is long', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThan(350)
})

test.each(HOSTILE.map((html) => [html]))(
  'nothing forbidden is left in %j, and a second cleaning changes nothing',
  (html) => {
    const clean = sanitise(html)
    expect(faultsOf(clean)).toEqual([])
    expect(sanitise(clean)).toBe(clean)
  },
)

test('mixtures of hostile texts come out clean, and unchanged by a second cleaning', () => {
  let seed = 7
  const pick = () => {
    seed = (seed * 48271) % 2147483647
    return HOSTILE[seed % HOSTILE.length] ?? ''
  }
  for (let round = 0; round < 400; round++) {
    const html = pick().slice(0, 40) + pick() + pick().slice(7)
    const clean = sanitise(html)
    expect([html, faultsOf(clean)]).toEqual([html, []])
    expect(sanitise(clean)).toBe(clean)
  }
})
