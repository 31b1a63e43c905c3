import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { convertFormulas } from './formulas.ts'

const mathml = (inside: string): string =>
  `<math xmlns="http://www.w3.org/1998/Math/MathML">${inside}</math>`
const SQUARE = '<msup><mi>x</mi><mn>2</mn></msup>'
const ANNOTATED = mathml(
  `<semantics>${SQUARE}<annotation encoding="application/x-tex">x^2 &lt; 3</annotation></semantics>`,
)

test.each([
  [
    'KaTeX',
    `<span class="katex"><span class="katex-mathml">${ANNOTATED}</span><span class="katex-html" aria-hidden="true">x2</span></span>`,
  ],
  [
    'MathJax 3',
    `<mjx-container class="MathJax"><mjx-math>x2</mjx-math><mjx-assistive-mml>${ANNOTATED}</mjx-assistive-mml></mjx-container>`,
  ],
  [
    'MathJax 2',
    `<span class="MathJax" id="a"><nobr aria-hidden="true">x2</nobr><span>${ANNOTATED}</span></span>`,
  ],
  [
    'Wikipedia',
    `<span class="mwe-math-element"><span style="display: none;">${ANNOTATED}</span><img class="mwe-math-fallback-image-inline" alt="x^2"></span>`,
  ],
  ['MathML', ANNOTATED],
  ['an image', '<img src="x" alt="x^2 &lt; 3" class="latex">'],
  ['an attribute', '<span data-math="x^2 &lt; 3"><span>x2</span></span>'],
  [
    'MathJax 2 without MathML',
    '<span class="MathJax"><nobr>x2</nobr></span><script type="math/tex">x^2 < 3</script>',
  ],
  [
    'MathJax 4',
    '<mjx-container class="MathJax"><svg><g data-mml-node="math" data-latex="x^2 &lt; 3"><g data-latex="x"></g></g></svg></mjx-container>',
  ],
  ['a script', '<script type="math/tex">x^2 < 3</script>'],
])('a formula from %s becomes its TeX, once', (_program, html) => {
  expect(convertFormulas(`<p>a ${html} b</p>`)).toBe('<p>a <code>x^2 &lt; 3</code> b</p>')
})

test.each([
  [`<mi>E</mi><mo>=</mo><mi>m</mi>${SQUARE}`, 'E = mx<sup>2</sup>'],
  ['<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>', 'a/(b + 1)'],
  ['<mo>-</mo><msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>', '-√x<sup>3</sup>√y'],
  ['<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>', 'sin x'],
  ['<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>', '∑<sub>i</sub><sup>n</sup>'],
  [
    '<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>',
    '<sub>6</sub><sup>14</sup>C',
  ],
  ['<mfenced open="[" close="]"><mi>a</mi><mi>b</mi></mfenced>', '[a, b]'],
  ['<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>', '[1, 2]'],
  ['<mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>', '([n; k])'],
  ['<menclose notation="updiagonalstrike"><mi>x</mi></menclose>', '<s>x</s>'],
  ['<m:mi>a</m:mi><m:mo>&lt;</m:mo><m:mi>b</m:mi>', 'a &lt; b'],
])('%s without TeX becomes an equivalent line of text', (inside, text) => {
  expect(convertFormulas(mathml(inside))).toBe(text)
})

const run = (text: string) =>
  `<i><span><m:r><m:rPr><m:sty m:val="p"/></m:rPr>${text}</m:r></span></i>`
const e = (inside: string) => `<m:e>${inside}</m:e>`

test.each([
  [
    `<m:sSup><m:sSupPr><m:ctrlPr/></m:sSupPr>${e(run('x'))}<m:sup>${run('2')}</m:sup></m:sSup>`,
    'x<sup>2</sup>',
  ],
  [`<m:f><m:num>${run('a+1')}</m:num><m:den>${run('b')}</m:den></m:f>`, '(a+1)/b'],
  [
    `<m:d>${e(`<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>${run('n')}</m:num><m:den>${run('k')}</m:den></m:f>`)}</m:d>`,
    '([n; k])',
  ],
  [
    `<m:rad><m:deg/>${e(run('x'))}</m:rad><m:rad><m:deg>${run('3')}</m:deg>${e(run('y'))}</m:rad>`,
    '√x<sup>3</sup>√y',
  ],
  [
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup>${e(run('i'))}</m:nary>`,
    '∑<sub>i=1</sub><sup>n</sup>i',
  ],
  [`<m:func><m:fName>${run('sin')}</m:fName>${e(run('x'))}</m:func>`, 'sin x'],
  [`<m:acc>${e(run('x'))}</m:acc>`, 'x\u0302'],
  [
    `<m:m><m:mr>${e(run('1'))}${e(run('2'))}</m:mr><m:mr>${e(run('3'))}${e(run('4'))}</m:mr></m:m>`,
    '[1, 2; 3, 4]',
  ],
])('%s from Word becomes an equivalent line of text', (inside, text) => {
  const formula = `<m:oMath>${inside}</m:oMath>`
  expect(convertFormulas(formula)).toBe(text)
  const image =
    '<![if !msEquation]><span><!--[if gte vml 1]><v:a/><![endif]--><![if !vml]><img src="file:///C:/a.png"><![endif]></span><![endif]>'
  expect(convertFormulas(`a <!--[if gte msEquation 12]>${formula}<![endif]-->${image} b`)).toBe(
    `a ${text} b`,
  )
})

const rows = (...all: string[]) =>
  `<span class="vlist-t${all.length > 1 ? ' vlist-t2' : ''}"><span class="vlist-r"><span class="vlist">${all.map((row) => `<span style="top:-3em"><span class="pstrut"></span><span class="mord">${row}</span></span>`).join('')}</span><span class="vlist-s">\u200b</span></span></span>`

test.each([
  [`c<span class="msupsub">${rows('2')}</span>`, 'c<sup>2</sup>'],
  [`c<span class="msupsub">${rows('i', '2')}</span>`, 'c<sub>i</sub><sup>2</sup>'],
  [`<span class="mfrac">${rows('b', '<span class="frac-line"></span>', 'a')}</span>`, 'a/b'],
  [`<span class="mord sqrt">${rows('x', '<svg></svg>')}</span>`, '√x'],
])('%s rendered by KaTeX becomes an equivalent line of text', (inside, text) => {
  const html = `<span class="katex"><span class="katex-html" aria-hidden="true">${inside}</span></span>`
  expect(convertFormulas(html)).toBe(text)
})

test('HTML that is not a formula, or is never closed, is unchanged', () => {
  for (const html of ['<p>x</p>', '<p><math><mi>x</mi></p>', '<span class="katexes">x</span>'])
    expect(convertFormulas(html)).toBe(html)
})

test.each([
  '<math>',
  '<math ',
  '<math></math>',
  '<math "',
  '<span class="katex">',
  '<math><!--',
  '<!--[if gte msEquation 12]>',
  '<!--[if gte msEquation 12]><![endif]--><![if !msEquation]>',
])('many repetitions of %s take time linear in their number', (part) => {
  const html = part.repeat(Math.floor(200_000 / part.length))
  expect(threadCpuMs(() => convertFormulas(html))).toBeLessThan(600)
})

test('converting a long formula takes time linear in its length', () => {
  const html = mathml('<mi>a</mi>'.repeat(20_000))
  expect(threadCpuMs(() => convertFormulas(html))).toBeLessThan(600)
})
