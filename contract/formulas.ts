// Converts formulas in the HTML of other programs (MathML, KaTeX, MathJax, Wikipedia, Word) to
// their TeX, or else to a line of text with superscripts and subscripts. Works on text, without a
// DOM: pasting and the sanitiser share it. The result is sanitised like the rest of the HTML.

const FORMULA =
  /<(?:(?:\w{1,9}:)?(?:math|omath(?:para)?)|mjx-container|(?:span|div)(?=[^<>]*\s(?:class="(?:[^"<>]*\s)?(?:katex(?:-display)?|MathJax(?:_(?:Display|SVG|CHTML|Preview))?|mwe-math-element)[\s"]|data-(?:math|tex|latex)="))|script(?=[^<>]*math\/tex)|img(?=[^<>]*\sclass="(?:[^"<>]*\s)?(?:mwe-math-fallback|latex|tex)[\w-]*[\s"]))(?=[\s/>])/gi
const TOKEN = /<!--|<(\/?)([a-z][\w:.-]*)/gi
const VOID = /^(?:br|hr|img|input|wbr)$/
/** The same as for elements of a post body. */
const DEPTH_MAX = 100

type FormulaNode = { name: string; attributes: string; children: (FormulaNode | string)[] }

/** The script that MathJax 2 puts after each formula that it has rendered. */
const TEX_SCRIPT = /\s*<script(?=[^<>]*math\/tex)/iy

/** The HTML with each formula replaced by text. */
export function convertFormulas(source: string): string {
  const html = openWordFormulas(source)
  let text = ''
  let copiedEnd = 0
  FORMULA.lastIndex = 0
  for (let start = FORMULA.exec(html); start; start = FORMULA.exec(html)) {
    const element = parseElement(html, start.index)
    // The extent of an element without an end tag is unknown.
    if (!element) break
    TEX_SCRIPT.lastIndex = element.end
    const formula = TEX_SCRIPT.test(html) ? '' : readFormula(element.node)
    if (formula !== undefined) {
      text += html.slice(copiedEnd, start.index) + formula
      copiedEnd = element.end
    }
    FORMULA.lastIndex = element.end
  }
  return text + html.slice(copiedEnd)
}

const WORD_FORMULA = '<!--[if gte msEquation'
const WORD_IMAGE = '<![if !msEquation]>'
const CONDITION = /<!\[(?:if[^\]>]*|endif)\]>/g

/** Word hides formulas in comments, each followed by an image that exists only on its machine. */
function openWordFormulas(html: string): string {
  let text = ''
  let copiedEnd = 0
  for (
    let start = html.indexOf(WORD_FORMULA);
    start >= 0;
    start = html.indexOf(WORD_FORMULA, copiedEnd)
  ) {
    const begin = html.indexOf(']>', start)
    const end = html.indexOf('<![endif]-->', start)
    if (begin < 0 || end < begin) break
    text += html.slice(copiedEnd, start) + html.slice(begin + 2, end)
    copiedEnd = end + '<![endif]-->'.length
    if (!html.startsWith(WORD_IMAGE, copiedEnd)) continue
    const imageEnd = endOfCondition(html, copiedEnd)
    if (imageEnd < 0) break
    copiedEnd = imageEnd
  }
  return text + html.slice(copiedEnd)
}

/** @returns the end of the condition at `start`, nested ones included; -1 without an end */
function endOfCondition(html: string, start: number): number {
  CONDITION.lastIndex = start
  let depth = 0
  for (let tag = CONDITION.exec(html); tag; tag = CONDITION.exec(html)) {
    depth += tag[0].startsWith('<![if') ? 1 : -1
    if (depth === 0) return CONDITION.lastIndex
  }
  return -1
}

const QUOTE_OR_END = /["'>]/g

/** @returns the index of a tag's `>` outside of quoted values; -1 without one */
function endOfTag(html: string, start: number): number {
  QUOTE_OR_END.lastIndex = start
  for (let match = QUOTE_OR_END.exec(html); match; match = QUOTE_OR_END.exec(html)) {
    if (match[0] === '>') return match.index
    const close = html.indexOf(match[0], QUOTE_OR_END.lastIndex)
    if (close < 0) return -1
    QUOTE_OR_END.lastIndex = close + 1
  }
  return -1
}

/** @returns undefined for an element that does not end, or is too deep */
function parseElement(html: string, start: number): { node: FormulaNode; end: number } | undefined {
  const open: FormulaNode[] = [{ name: '', attributes: '', children: [] }]
  TOKEN.lastIndex = start
  let at = start
  for (let token = TOKEN.exec(html); token; token = TOKEN.exec(html)) {
    const [, slash, tagName] = token
    const parent = open.at(-1)
    parent?.children.push(escapeAngleBrackets(html.slice(at, token.index)))
    const nameEnd = TOKEN.lastIndex
    const end = tagName === undefined ? html.indexOf('-->', nameEnd) : endOfTag(html, nameEnd)
    if (end < 0) return undefined
    at = end + (tagName === undefined ? 3 : 1)
    const attributes = html.slice(nameEnd, end)
    if (tagName !== undefined && slash) closeElement(open, localName(tagName))
    else if (tagName !== undefined) {
      const node: FormulaNode = { name: localName(tagName), attributes, children: [] }
      parent?.children.push(node)
      if (node.name === 'script') {
        const scriptEnd = html.indexOf('</script', at)
        if (scriptEnd < 0) return undefined
        const text = html.slice(at, scriptEnd)
        node.children.push(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
        at = scriptEnd
      }
      if (!VOID.test(node.name) && !attributes.endsWith('/')) open.push(node)
    }
    TOKEN.lastIndex = at
    const node = open[0]?.children.find((child) => typeof child !== 'string')
    if (open.length === 1 && node) return { node, end: at }
    if (open.length > DEPTH_MAX) return undefined
  }
  return undefined
}

/** Ignores an end tag that matches no open element. */
function closeElement(open: FormulaNode[], name: string): void {
  const at = open.findLastIndex((node) => node.name === name)
  if (at > 0) open.length = at
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

function escapeAngleBrackets(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function readFormula(node: FormulaNode): string | undefined {
  const tex = readTex(node)
  if (tex !== '') return `<code>${tex}</code>`
  const math = findNode(node, ({ name }) => /^(?:o?math|omathpara)$/.test(name))
  const katexHtml = math ? undefined : findNode(node, (child) => hasClass(child, 'katex-html'))
  const text = math ? renderMath(math) : katexHtml && renderKatex(katexHtml)
  return text?.replace(/\s+/g, ' ').trim()
}

/** The TeX, without the braces with which Wikipedia marks display style; `""` without any. */
function readTex(node: FormulaNode): string {
  const annotation = findNode(
    node,
    ({ name, attributes }) => name === 'annotation' && /encoding=["'][^"']*tex/i.test(attributes),
  )
  const script = findNode(node, ({ name }) => name === 'script')
  const math = findNode(node, ({ name }) => name === 'math')
  const image = findNode(node, ({ name }) => name === 'img')
  const latexNode = findNode(node, (child) => attributeOf(child, 'data-latex') !== '')
  const dataAttributes = ['data-math', 'data-tex'].map((name) => attributeOf(node, name))
  const alternative = math ? attributeOf(math, 'alttext') : image ? attributeOf(image, 'alt') : ''
  const texts = [
    ...dataAttributes,
    latexNode ? attributeOf(latexNode, 'data-latex') : '',
    annotation ? textOf(annotation) : '',
    // Some alternative texts describe the formula in words.
    !math || /[\\^_{]/.test(alternative) ? alternative : '',
    script && !math ? textOf(script) : '',
  ]
  const tex = texts.map((text) => text.replace(/\s+/g, ' ').trim()).find((text) => text !== '')
  return tex?.replace(/^\{\\(?:display|text)style (.*)\}$/, '$1').trim() ?? ''
}

function findNode(
  node: FormulaNode,
  matches: (node: FormulaNode) => boolean,
): FormulaNode | undefined {
  if (matches(node)) return node
  for (const child of node.children) {
    const inside = typeof child === 'string' ? undefined : findNode(child, matches)
    if (inside) return inside
  }
  return undefined
}

/** The value, escaped; `""` without the attribute. */
function attributeOf({ attributes }: FormulaNode, name: string): string {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  return escapeAngleBrackets(value?.[1] ?? value?.[2] ?? '')
}

function textOf({ children }: FormulaNode): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

// --- MathML as a line of text

/** Invisible characters for multiplication and function application. */
const INVISIBLE_OPERATORS =
  /[\u2061-\u2064]|&(?:InvisibleTimes|it|ApplyFunction|af|InvisibleComma|ic|#x206[1-4]|#829[0-2]);/gi
const INFIX =
  /^(?:[=+\u2212±×÷≠≈≡∼≤≥≪≫→⇒⇔↦∈∉⊂⊆∪∩∧∨∣-]|&(?:lt|gt|le|ge|ne|minus|plusmn|times|asymp|rarr);)$/u
const SCRIPTS: Readonly<Record<string, readonly ('sub' | 'sup')[]>> = {
  msub: ['sub'],
  msup: ['sup'],
  msubsup: ['sub', 'sup'],
  munder: ['sub'],
  mover: ['sup'],
  munderover: ['sub', 'sup'],
}

/** Elements of Word's formulas that have the same children as these MathML elements. */
const WORD_NAMES: Readonly<Record<string, string>> = {
  ssub: 'msub',
  ssup: 'msup',
  ssubsup: 'msubsup',
  limlow: 'munder',
  limupp: 'mover',
  f: 'mfrac',
  m: 'mtable',
  mr: 'mtr',
  eqarr: 'mtable',
}

function renderMath(node: FormulaNode | string): string {
  if (typeof node === 'string') return node.replace(INVISIBLE_OPERATORS, '').replace(/\s+/g, ' ')
  const name = WORD_NAMES[node.name] ?? node.name
  const children = elementsOf(node)
  const [first = '', second = ''] = children.map(renderMath)
  const scripts = SCRIPTS[name]
  if (scripts)
    return (
      first + scripts.map((tag, at) => withTag(tag, renderMath(children[at + 1] ?? ''))).join('')
    )
  switch (name) {
    case 'mfrac':
      // A fraction without a bar is no division.
      if (/linethickness=["']?0/i.test(node.attributes) || propertyOf(node, 'type') === 'noBar')
        return `[${first.trim()}; ${second.trim()}]`
      return `${inBrackets(first)}/${inBrackets(second)}`
    case 'msqrt':
      return `√${inBrackets(renderRow(node.children))}`
    case 'menclose': {
      const inside = renderRow(node.children)
      return /strike/i.test(attributeOf(node, 'notation')) ? `<s>${inside}</s>` : inside
    }
    case 'rad':
      return `${withTag('sup', first)}√${inBrackets(second)}`
    case 'nary':
      return `${propertyOf(node, 'chr') ?? '∫'}${withTag('sub', first)}${withTag('sup', second)}${renderMath(children[2] ?? '')}`
    case 'd':
      return `${propertyOf(node, 'begchr') ?? '('}${children.map(renderMath).join(', ')}${propertyOf(node, 'endchr') ?? ')'}`
    case 'acc':
      return first.trim() + (propertyOf(node, 'chr') ?? '\u0302')
    case 'mroot':
      return `${withTag('sup', second)}√${inBrackets(first)}`
    case 'mfenced':
      return renderFenced(node, children)
    case 'mtable':
      return `[${children.map(renderMath).join('; ')}]`
    case 'mtr':
    case 'mlabeledtr':
      return children.map(renderMath).join(', ')
    case 'mmultiscripts':
      return renderMultiscripts(children)
    case 'semantics':
    case 'maction':
      return first
    case 'mspace':
      return ' '
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return ''
    default:
      return renderRow(node.children)
  }
}

/** Child elements, without the property elements of Word. */
function elementsOf({ children }: FormulaNode): FormulaNode[] {
  return children.filter(
    (child): child is FormulaNode => typeof child !== 'string' && !child.name.endsWith('pr'),
  )
}

/** @returns a property of a Word element */
function propertyOf({ children }: FormulaNode, name: string): string | undefined {
  const properties = children.find(
    (child) => typeof child !== 'string' && child.name.endsWith('pr'),
  )
  if (typeof properties !== 'object') return undefined
  const property = findNode(properties, (node) => node.name === name)
  return property && attributeOf(property, 'm:val')
}

function withTag(tag: 'sub' | 'sup', html: string): string {
  return html.trim() === '' ? '' : `<${tag}>${html.trim()}</${tag}>`
}

/** Leaves a single name or number without brackets. */
function inBrackets(html: string): string {
  return /^(?:[\p{L}\p{N}.]+|\([^()]*\))$/u.test(html.trim()) ? html.trim() : `(${html.trim()})`
}

function renderFenced(node: FormulaNode, children: readonly FormulaNode[]): string {
  const hasOpen = /\sopen\s*=/i.test(node.attributes)
  const hasClose = /\sclose\s*=/i.test(node.attributes)
  const separator = attributeOf(node, 'separators').trim()[0] ?? ','
  const inside = children.map(renderMath).join(`${separator} `)
  return `${hasOpen ? attributeOf(node, 'open') : '('}${inside}${hasClose ? attributeOf(node, 'close') : ')'}`
}

function renderMultiscripts([base, ...scripts]: readonly FormulaNode[]): string {
  const at = scripts.findIndex(({ name }) => name === 'mprescripts')
  const after = at < 0 ? scripts : scripts.slice(0, at)
  const before = at < 0 ? [] : scripts.slice(at + 1)
  const render = (list: readonly FormulaNode[]) =>
    list
      .map((script, index) => withTag(index % 2 === 0 ? 'sub' : 'sup', renderMath(script)))
      .join('')
  return render(before) + (base ? renderMath(base) : '') + render(after)
}

/** Puts spaces around infix operators, and between names that would read as one. */
function renderRow(children: readonly (FormulaNode | string)[]): string {
  const parts: string[] = []
  let end = ''
  let isAfterOperand = false
  for (const child of children) {
    const part = renderMath(child)
    const operator = typeof child !== 'string' && child.name === 'mo' ? part.trim() : undefined
    const isInfix: boolean = operator !== undefined && isAfterOperand && INFIX.test(operator)
    const isWord = /^[\p{L}\p{N}]{2}/u.test(part) || /[\p{L}\p{N}]{2}$/u.test(end)
    if (isWord && /^[\p{L}\p{N}]/u.test(part) && /[\p{L}\p{N}>]$/u.test(end)) parts.push(' ')
    const shown = isInfix ? ` ${operator} ` : operator === ',' ? ', ' : part
    parts.push(shown)
    end = (end + shown.slice(-2)).slice(-2)
    if (part.trim() !== '')
      isAfterOperand = !isInfix && (operator === undefined || /^[)\]}|!]$/.test(operator))
  }
  return parts.join('')
}

// --- output of KaTeX as a line of text

function renderKatex(node: FormulaNode | string): string {
  if (typeof node === 'string') return node.replaceAll('\u200b', '')
  const [low = '', high = ''] =
    hasClass(node, 'mfrac') || hasClass(node, 'msupsub') ? rowsOf(node) : []
  if (hasClass(node, 'mfrac')) return `${inBrackets(high)}/${inBrackets(low)}`
  if (hasClass(node, 'msupsub')) {
    const isLow = high !== '' || findNode(node, (child) => hasClass(child, 'vlist-t2'))
    return isLow ? withTag('sub', low) + withTag('sup', high) : withTag('sup', low)
  }
  const inside = node.children.map(renderKatex).join('')
  return hasClass(node, 'sqrt') ? `√${inBrackets(inside)}` : inside
}

/** Vertically stacked parts, from the lowest. */
function rowsOf(node: FormulaNode): string[] {
  const rows = findNode(node, (child) => hasClass(child, 'vlist'))
  return (rows?.children ?? []).map(renderKatex).filter((row) => row.trim() !== '')
}

function hasClass(node: FormulaNode, name: string): boolean {
  return attributeOf(node, 'class').split(' ').includes(name)
}
