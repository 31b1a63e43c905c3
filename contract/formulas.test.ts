import { expect, test } from 'vitest'
import { threadMs } from '#test/support/cpu-time.ts'
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
  ['a script', '<script type="math/tex">x^2 < 3</script>'],
])('the formula of %s is its TeX, once', (_program, html) => {
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
  ['<m:mi>a</m:mi><m:mo>&lt;</m:mo><m:mi>b</m:mi>', 'a &lt; b'],
])('%s without TeX says the same as a line of text', (inside, text) => {
  expect(convertFormulas(mathml(inside))).toBe(text)
})

test('what is no formula, or has no end, stays as it is', () => {
  for (const html of ['<p>x</p>', '<p><math><mi>x</mi></p>', '<span class="katexes">x</span>'])
    expect(convertFormulas(html)).toBe(html)
})

test.each(['<math>', '<math ', '<math></math>', '<math "', '<span class="katex">', '<math><!--'])(
  'many of %s cost no more than their length',
  (part) => {
    const html = part.repeat(1_000_000 / part.length)
    expect(threadMs(() => convertFormulas(html))).toBeLessThan(2000)
  },
)

test('a long formula costs no more than its length', () => {
  const html = mathml('<mi>a</mi>'.repeat(100_000))
  expect(threadMs(() => convertFormulas(html))).toBeLessThan(2000)
})
