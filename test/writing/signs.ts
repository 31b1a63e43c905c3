// Random typing full of Markdown signs, with pastes of seven kinds in seven places, undone and
// redone: the words shown, stored and shown again must be those of the writer, in their order.
import { expect, type Page } from '@playwright/test'
import { undoAndRedo } from '#test/support/editor-ui.ts'
import { paste } from '#test/support/paste.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'
import { findSpans, isThematicBreak } from '#web/editor/typed-markdown.ts'
import type { Written } from './article.ts'
import { type Chance, makeChance } from './random.ts'

const SIGNS = ['*', '**', '_', '~', '~~', '<', '>', '&', '#', '-', '+', '1.', '|', '`', '\\', '7']
const STARTS = ['# ', '## ', '- ', '1. ', '> ', '* ', '+ ', '| ', '& ', '< ', '~ ', '_ ']
const BREAKS = ['* * *', '---', '***', '___', '- - -', '_ _ _']
const HEADERS = { 'X-Appwrite-Project': 'blog' }
const SETTLED_WITHIN_MS = 5000

/** Where the caret is, as far as it affects the typed text. */
type Place = { isPlain: boolean; isItem: boolean; isCode: boolean }

type Scribe = {
  page: Page
  chance: Chance
  word: () => string
  /** Words and rules before and behind the caret. */
  before: string[]
  behind: string[]
  /** Lines without a sign that has a meaning: they must be shown as they were typed. */
  plain: string[]
}

/** @param postId a post by the signed-in writer, in which each text is stored */
export async function writeSigns(
  page: Page,
  { seed, steps, postId }: { seed: number; steps: number; postId: string },
): Promise<Written> {
  await page.evaluate(() => {
    const live = window.hugerte.activeEditor
    live.setContent('')
    live.undoManager.reset()
    live.focus()
  })
  const chance = makeChance(seed)
  let count = 0
  const word = () => `${chance.oneOf(['ka', 'lom', 'tiru', 'be'])}${count++}z`
  const scribe: Scribe = { page, chance, word, before: [], behind: [word()], plain: [] }
  await page.keyboard.type(scribe.behind.join(''))
  for (const key of ['Home', 'Enter', 'ArrowUp']) await page.keyboard.press(key)
  const said: string[] = []
  const end = async (fault?: string): Promise<Written> => ({
    words: scribe.before.length + scribe.behind.length,
    fault: fault && `${said.join(', ')}: ${fault}\n${(await read(page)).html}`,
  })
  try {
    for (let step = 1; step <= steps; step++) {
      said.push(`step ${step}`, await chance.oneOf(ACTS)(scribe))
      const fault = await findFault(scribe, 'shown')
      if (fault) return await end(fault)
    }
    return await end((await undoAndRedo(page)) || (await findLossOfStoring(scribe, postId)))
  } catch (error) {
    return await end(`stopped: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function findLossOfStoring(scribe: Scribe, postId: string): Promise<string | undefined> {
  const { page } = scribe
  const content = await page.evaluate(() => window.hugerte.activeEditor.getContent())
  const address = `${DOCUMENTS}/${postId}`
  const stored = await page.request.patch(address, {
    headers: HEADERS,
    data: { data: { content } },
  })
  if (!stored.ok()) return `not stored: ${await stored.text()}`
  const answer = (await stored.json()) as { content: string }
  await page.evaluate((html) => window.hugerte.activeEditor.setContent(html), answer.content)
  return await findFault(scribe, 'shown again')
}

async function findFault(scribe: Scribe, when: string): Promise<string | undefined> {
  const expected = [...scribe.before, ...scribe.behind].join(' ')
  const findWords = async () => (await read(scribe.page)).words
  // A paste arrives a moment later. A difference that remains is reported with its step below.
  const settled = expect.poll(findWords, { timeout: SETTLED_WITHIN_MS }).toBe(expected)
  await settled.catch(() => undefined)
  const shown = await read(scribe.page)
  if (shown.words !== expected) return `${when}: expected "${expected}", found "${shown.words}"`
  const lost = scribe.plain.find((line) => !shown.lines.includes(line))
  return lost === undefined ? undefined : `${when}: "${lost}" has lost its signs`
}

type Seen = { words: string; lines: string; html: string }

/** What a reader of the editor sees, with a rule as `[rule]`; words without a space are joined. */
async function read(page: Page): Promise<Seen> {
  const { text, html } = await page.evaluate(() => {
    const body = window.hugerte.activeEditor.getBody()
    const textOf = (node: Node): string => {
      if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? ''
      if (!(node.nodeType === Node.ELEMENT_NODE)) return ''
      const element = node as Element
      if (element.matches('[data-mce-bogus="all"]')) return ''
      if (element.matches('br')) return '\n'
      if (element.matches('hr')) return '\n[rule]\n'
      const inside = [...node.childNodes].map(textOf).join('')
      return getComputedStyle(element).display.startsWith('inline') ? inside : `\n${inside}\n`
    }
    return { text: textOf(body), html: body.innerHTML }
  })
  const lines = text.replace(/[\uFEFF\u200B]/g, '').replaceAll('\u00a0', ' ')
  const words = lines.match(/\[rule\]|[a-z]+\d+z/g) ?? []
  const joined = /\d+z(?=[a-z]+\d+z)/.exec(lines)
  return { words: `${words.join(' ')}${joined ? ` joined at ${joined}` : ''}`, lines, html }
}

const placeOf = (page: Page): Promise<Place> =>
  page.evaluate(() => {
    const { startContainer } = window.hugerte.activeEditor.selection.getRng()
    const element = (
      startContainer.nodeType === Node.ELEMENT_NODE ? startContainer : startContainer.parentElement
    ) as Element
    const items = element.closest('li')
    return {
      isPlain: element.closest('p') !== null && !items,
      isItem: items !== null && !items.parentElement?.closest('li') && !element.closest('p'),
      isCode: element.closest('pre') !== null,
    }
  })

/**
 * Begins a new line; text that was after the caret follows after a space.
 *
 * @returns whether there was no such text
 */
async function beginLine({ page }: Scribe): Promise<boolean> {
  const textBeside = () =>
    page.evaluate(() => {
      const range = window.hugerte.activeEditor.selection.getRng().cloneRange()
      const at = range.startContainer
      const element = (at.nodeType === Node.ELEMENT_NODE ? at : at.parentElement) as Element
      const block = element.closest('p, h2, h3, h4, li, td, pre')
      if (block) range.setEnd(block, block.childNodes.length)
      const visibleText = (text: string) => text.replace(/[\s\uFEFF\u200B]/g, '')
      return { all: visibleText(block?.textContent ?? ''), behind: visibleText(range.toString()) }
    })
  if ((await textBeside()).all !== '') await page.keyboard.press('Enter')
  if ((await textBeside()).behind === '') return true
  await page.keyboard.type(' ')
  await page.keyboard.press('ArrowLeft')
  return false
}

function makeLine({ chance, word, before }: Scribe): string {
  const parts = Array.from({ length: 2 + chance.below(5) }, () => {
    const ownWord = word()
    before.push(ownWord)
    const leftSign = chance.oneOf(SIGNS)
    const right = chance.oneOf(SIGNS)
    const shape = chance.below(10)
    if (shape < 4) return ownWord
    if (shape < 6) return `${leftSign}${ownWord}${leftSign}`
    if (shape === 6) return `${ownWord} ${leftSign}`
    if (shape === 7) return `${ownWord}${right}${chance.below(99)}`
    return shape === 8 ? `${leftSign}${ownWord}` : `${ownWord}${right}`
  })
  return parts.join(chance.oneOf([' ', ' ', ' ', ' * ', ' - ', ', ']))
}

async function typeLine(scribe: Scribe): Promise<string> {
  await beginLine(scribe)
  const line = makeLine(scribe)
  const { isCode } = await placeOf(scribe.page)
  await scribe.page.keyboard.type(line)
  if (isCode || (/^\w/.test(line) && findSpans(line, { isDone: true }).length === 0))
    scribe.plain.push(line)
  return `types "${line}"`
}

async function startLine(scribe: Scribe): Promise<string> {
  const isAlone = await beginLine(scribe)
  const line = `${scribe.chance.oneOf(STARTS)}${makeLine(scribe)}${isAlone ? '' : ' '}`
  await scribe.page.keyboard.type(line)
  return `types "${line}"`
}

async function breakScene(scribe: Scribe): Promise<string> {
  const { page, chance, before } = scribe
  const isAlone = await beginLine(scribe)
  // An empty item ends its list.
  if (isAlone && (await placeOf(page)).isItem && chance.percent(50))
    await page.keyboard.press('Enter')
  const { isPlain, isItem, isCode } = await placeOf(page)
  const sceneBreak = chance.oneOf(BREAKS)
  await page.keyboard.type(sceneBreak)
  await page.keyboard.press('Enter')
  if (isAlone && (isPlain || isItem) && !isCode && isThematicBreak(sceneBreak))
    before.push('[rule]')
  return `types "${sceneBreak}" and Enter`
}

/** Opens a code fence, which is closed now or never. */
async function writeCode(scribe: Scribe): Promise<string> {
  const { page, chance } = scribe
  const isAlone = await beginLine(scribe)
  await page.keyboard.type(isAlone ? '```js' : '```')
  await page.keyboard.press('Enter')
  const code = makeLine(scribe)
  await page.keyboard.type(isAlone ? code : `${code} `)
  if (!isAlone) return `types a fence before words, Enter and "${code}"`
  if (chance.percent(60)) return `opens a fence and types "${code}"`
  await page.keyboard.press('Enter')
  await page.keyboard.type('```')
  await page.keyboard.press('Enter')
  return `types code "${code}"`
}

async function closeCode({ page }: Scribe): Promise<string> {
  if (!(await placeOf(page)).isCode) return 'has no fence to close'
  for (const keys of ['\n', '```', '\n']) await page.keyboard.type(keys)
  return 'closes a fence'
}

/** Replaces an open fence and the line above it by words. */
async function replaceCode(scribe: Scribe): Promise<string> {
  const { page, word, before } = scribe
  const wasCode = (await placeOf(page)).isCode
  if (wasCode || !(await beginLine(scribe))) return 'has no line for a fence'
  const above = word()
  const code = word()
  const instead = word()
  await page.keyboard.type(`${above}\n\`\`\`js\n${code}`)
  const { isCode } = await placeOf(page)
  before.push(...(isCode ? [] : [above, code]), instead)
  if (!isCode) await page.keyboard.type(' ')
  else for (const _sign of `${above} ${code}`) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.type(instead)
  return isCode ? 'types over a fence and the line above' : 'has no fence to type over'
}

/** Moves the caret between two words, into bold text, a cell or a link, or to the end. */
async function goElsewhere(scribe: Scribe): Promise<string> {
  const { page, chance, word, before, behind } = scribe
  const kind = chance.oneOf(['between', 'bold', 'cell', 'link', 'end'] as const)
  if (kind === 'end') return await goToEnd(scribe)
  const { isCode } = await placeOf(page)
  if (kind === 'cell') {
    await goToEnd(scribe)
    await beginLine(scribe)
    await page.evaluate(() => {
      const live = window.hugerte.activeEditor
      const cells = '<td><br></td><td><br></td>'
      live.execCommand(
        'mceInsertContent',
        false,
        `<table><tbody><tr>${cells}</tr><tr>${cells}</tr></tbody></table>`,
      )
      const at = live.selection.getRng().startContainer
      const element = (at.nodeType === 1 ? at : at.parentElement) as Element
      // The caret is in the first cell, or after the table.
      const table = element.closest('table') ?? element.closest('p')?.previousElementSibling
      const cell = table?.querySelector('td')
      if (cell) live.selection.setCursorLocation(cell, 0)
    })
    return 'makes a table'
  }
  await beginLine(scribe)
  const firstWord = word()
  const secondWord = word()
  if (kind === 'link')
    await page.keyboard.type(`[${firstWord}](https://example.org/${firstWord}) ${secondWord}`)
  else await page.keyboard.type(`${firstWord} ${secondWord}`)
  before.push(...(kind === 'link' && isCode ? [firstWord, firstWord] : [firstWord]))
  if (kind === 'bold') {
    await page.keyboard.press('Control+b')
    const bold = word()
    await page.keyboard.type(` ${bold}`)
    before.push(secondWord, bold)
    return 'types in bold'
  }
  for (const _sign of secondWord) await page.keyboard.press('ArrowLeft')
  behind.unshift(secondWord)
  return kind === 'link' ? 'goes behind a link' : 'goes between two words'
}

async function goToEnd({ page, before, behind }: Scribe): Promise<string> {
  await page.keyboard.press('Control+End')
  before.push(...behind.splice(0))
  return 'goes to the end'
}

type Pasted = { text?: string; html?: string }

/** Seven kinds of pasted text; `%` stands for a word. */
const PASTES: Record<string, Pasted> = {
  words: { text: '% * % & <%> _%_' },
  lines: { text: '%\n\n  % - %\n1. %\n%' },
  formatted: { html: 'and <b>%</b> <i>% %</i> <a href="/post">%</a>', text: 'and % % % %' },
  blocks: {
    html: '<p>%</p><ul><li>%</li><li>%</li></ul><blockquote>%</blockquote><p>%</p>',
    text: '%\n\n% %\n\n%\n\n%',
  },
  Markdown: { text: '## %\n\n%, **%** ~~%~~\n\n- %\n- %\n\n> %\n\n`%` and *%*' },
  code: {
    html: '<div style="white-space: pre; font-family: monospace"><div>if (%) {</div><div>  %()</div></div>',
    text: 'if (%) {\n  %()',
  },
  'a line of code': {
    html: '<div style="white-space: pre; font-family: monospace"><div>%(%)</div></div>',
    text: '%(%)',
  },
}

async function pasteWords(scribe: Scribe): Promise<string> {
  const { page, chance, word, before } = scribe
  const kind = chance.oneOf(Object.keys(PASTES))
  const { text = '', html } = PASTES[kind] ?? {}
  const words = Array.from(text.match(/%/g) ?? [], word)
  const first = word()
  await page.keyboard.type(` ${first} `)
  before.push(first)
  const fill = (some: string) => {
    let at = 0
    return some.replaceAll('%', () => words[at++] ?? '')
  }
  const { isCode } = await placeOf(page)
  const frame = page.frameLocator('iframe')
  const strong = frame.locator('strong', { hasText: words[2] ?? '' })
  const countCode = (text: string) => frame.locator('pre, code', { hasText: text }).count()
  await paste(page, { text: fill(text), ...(html && { html: fill(html) }) })
  before.push(...words)
  await findFault(scribe, 'pasted')
  // Text typed before the Markdown is converted leaves it unconverted.
  if (kind === 'Markdown' && !isCode) await strong.waitFor({ timeout: SETTLED_WITHIN_MS })
  const last = word()
  await page.keyboard.type(` ${last} `)
  before.push(last)
  if ((await countCode(last)) > (await countCode(first)))
    throw new Error(`pasted ${kind}: "${last}" has become part of it`)
  return `pastes ${kind} between "${first}" and "${last}"`
}

async function undoSome(scribe: Scribe): Promise<string> {
  const { page, chance } = scribe
  const times = 1 + chance.below(6)
  const before = await read(page)
  let undone = 0
  for (; undone < times; undone++) {
    const hasMore = await page.evaluate(() => window.hugerte.activeEditor.undoManager.hasUndo())
    if (!hasMore) break
    await page.keyboard.press('Control+z')
  }
  for (let redone = 0; redone < undone; redone++) await page.keyboard.press('Control+y')
  const { words } = await read(page)
  if (words !== before.words) throw new Error(`redone: "${before.words}" became "${words}"`)
  // Caret movements by the arrow keys are not undo steps.
  await goToEnd(scribe)
  return `undoes and redoes ${undone}`
}

type Act = (scribe: Scribe) => Promise<string>
const ACTS: readonly Act[] = [
  typeLine,
  typeLine,
  typeLine,
  startLine,
  startLine,
  breakScene,
  breakScene,
  writeCode,
  closeCode,
  replaceCode,
  goElsewhere,
  goElsewhere,
  pasteWords,
  pasteWords,
  pasteWords,
  undoSome,
]

/** Makes a post of the signed-in user, for all texts that are written in this page. */
export const makeSignsPost = (page: Page): Promise<string> =>
  writePost(page.request, { title: 'Signs', content: '<p>None</p>', status: 'inactive' })
