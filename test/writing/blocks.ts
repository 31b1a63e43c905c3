// Steps with the tools of the writing view: the inserter, the bubble and footnotes.
import { dialog, fillDialog } from '#test/support/editor-ui.ts'
import type { Content, Run, Tokens } from './text-model.ts'
import {
  isLine,
  pickRun,
  putCaretBehind,
  type Spot,
  type Writer,
  withTokens,
  words,
  write,
} from './writer.ts'

type Written = Promise<Tokens | undefined>

const FOOTNOTE = 'foot'
/** What finds an entry of the inserter, and the object that it inserts. */
const PLAIN_BLOCKS: Record<string, readonly string[]> = {
  heading: [],
  quote: [],
  callout: [],
  task: [],
  divider: ['[rule]'],
  table: ['[table]'],
  contents: ['[contents]'],
}
const KINDS = [
  ...Object.keys(PLAIN_BLOCKS),
  FOOTNOTE,
  FOOTNOTE,
  'code',
  'picture',
  'gallery',
  'embed',
]
const UNDONE = 25

/** Whether the form has these tools. */
const hasTools = ({ page }: Writer): Promise<boolean> =>
  page.evaluate(() => document.querySelector('.writing-tools') !== null)

/** Goes to a new empty line of the text. @returns the tokens before it */
async function beginLine(writer: Writer, text: Content): Promise<number | undefined> {
  if (!(await hasTools(writer))) return undefined
  // A heading that is split goes on as a heading, in which there is no menu.
  const isSplit = ({ holder, text }: Run) => holder !== 'p' && text !== text.trimEnd()
  const spot = pickRun(
    writer,
    text,
    (run) => /^(?:p|h\d)$/.test(run.holder) && run.isTop && run.isWhole && !isSplit(run),
  )
  if (!spot) return undefined
  const at = await putCaretBehind(writer, text, spot)
  if (spot.words > 0 || spot.at.holder !== 'p') await writer.page.keyboard.press('Enter')
  return at
}

async function openInserter(writer: Writer, name: string): Promise<void> {
  await write(writer, '/')
  await writer.page.locator('.inserter').waitFor()
  await write(writer, name)
}

export async function insertByName(writer: Writer, text: Content): Written {
  const { page, chance } = writer
  const kind = chance.oneOf(KINDS)
  if (kind === 'contents' && text.tokens.includes('[contents]')) return undefined
  const notes = await page.evaluate(() => window.reader.notes())
  const at = await beginLine(writer, text)
  if (at === undefined) return undefined
  await openInserter(writer, kind)
  await page.keyboard.press('Enter')
  const inserted = PLAIN_BLOCKS[kind] ?? (await fillIn(writer, kind))
  const isUndone = chance.percent(UNDONE)
  if (isUndone) await undoAndRedo(writer, withTokens(text.tokens, at, [`/${kind}`]))
  const added = words(writer)
  await write(writer, added.join(' '))
  if (kind !== FOOTNOTE) return withTokens(text.tokens, at, [...inserted, ...added])
  // Redoing puts the caret behind the mark, not into the note.
  if (isUndone) return withTokens(text.tokens, at, ['[note]', ...added])
  const tokens = withTokens(text.tokens, at, ['[note]'])
  return withTokens(tokens, placeOfNote(text.tokens, at, notes) + 1, added)
}

/** Fills in the dialog of an entry. @returns the object that is inserted */
async function fillIn(writer: Writer, kind: string): Promise<readonly string[]> {
  const name = writer.word()
  if (kind === 'code') {
    await fillDialog(writer.page, { Language: 'JavaScript', Code: `${name}()` })
    return [`[code ${name}()]`]
  }
  if (kind === 'picture') {
    await fillDialog(writer.page, {
      'Use a URL instead': true,
      'Image URL': writer.image,
      'What is in the picture alt text': name,
    })
    return [`[image ${name}]`]
  }
  if (kind === 'gallery') return await fillGallery(writer, [name, writer.word()])
  if (kind === 'embed') {
    const isVideo = writer.chance.percent(50)
    const id = name.padEnd(11, '0')
    const address = isVideo ? `https://youtu.be/${id}` : `https://soundcloud.com/lamp/${name}`
    await fillDialog(writer.page, { Source: address })
    return [isVideo ? `[video ${id}]` : `[embed ${address}]`]
  }
  return []
}

async function fillGallery({ page, image }: Writer, names: string[]): Promise<readonly string[]> {
  const buffer = await (await page.request.get(image)).body()
  const files = names.map((name) => ({ name: `${name}.png`, mimeType: 'image/png', buffer }))
  await dialog(page).locator('input[type=file]').setInputFiles(files)
  for (const [index, name] of names.entries())
    await dialog(page).getByLabel('What is in the picture').nth(index).fill(name)
  await dialog(page).getByRole('button', { name: 'Insert gallery' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  return [`[gallery ${names.join(' ')}]`]
}

/** One undo must give back the typed name. */
async function undoAndRedo({ page }: Writer, typed: Tokens): Promise<void> {
  await page.keyboard.press('Control+z')
  const { tokens } = await page.evaluate((text) => window.reader.settle(text), typed)
  if (tokens.join(' ') !== typed.join(' '))
    throw new Error(`undone: expected "${typed.join(' ')}", found "${tokens.join(' ')}"`)
  await page.keyboard.press('Control+y')
}

/** Where the note of a new mark begins in the tokens, which do not have the mark yet. */
function placeOfNote(tokens: Tokens, mark: number, notes: readonly number[]): number {
  const before = tokens.slice(0, mark).filter((token) => token === '[note]').length
  return notes[before] ?? tokens.length
}

export async function leaveInserter(writer: Writer, text: Content): Written {
  const at = await beginLine(writer, text)
  if (at === undefined) return undefined
  const typed = writer.chance.oneOf(['', 'pic', 'xyz', 'quote'])
  await openInserter(writer, typed)
  await writer.page.keyboard.press('Escape')
  const added = words(writer)
  await write(writer, ` ${added.join(' ')}`)
  return withTokens(text.tokens, at, [`/${typed}`, ...added])
}

/** Selects a word of a line. @returns how many tokens are before the end of the word */
async function selectWord({ page, chance }: Writer, { run, at }: Spot): Promise<number> {
  const index = chance.below(at.words.length)
  const word = at.words[index] ?? ''
  const passed = at.words.slice(0, index).join(' ').length
  const from = at.text.indexOf(word, passed)
  // From another place: the bubble that was put away stays away from the same words.
  await page.evaluate(
    ([line, start, end]) => {
      window.reader.set(line, start)
      window.reader.set(line, start, end)
    },
    [run, from, from + word.length] as const,
  )
  await page.locator('.bubble').waitFor()
  return at.start + index + 1
}

/** The tools that only change how words look, by their place in the bubble. */
const LOOKS = [0, 1, 2, 3, 5, 6, 8]
const FOOTNOTE_TOOL = 7

async function pressTool({ page, hasTouch }: Writer, tool: number): Promise<void> {
  if (hasTouch) return await page.locator('.bubble button').nth(tool).tap()
  await page.keyboard.press('Alt+F10')
  for (let step = 0; step < tool; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
}

export async function useBubble(writer: Writer, text: Content): Written {
  if (!(await hasTools(writer))) return undefined
  const spot = pickRun(writer, text, (run) => isLine(run) && run.isTop && run.words.length > 0)
  if (!spot) return undefined
  await selectWord(writer, spot)
  await pressTool(writer, writer.chance.oneOf(LOOKS))
  await writer.page.keyboard.press('Escape')
  return text.tokens
}

export async function addFootnote(writer: Writer, text: Content): Written {
  if (!(await hasTools(writer))) return undefined
  const spot = pickRun(writer, text, (run) => isLine(run) && run.isTop && run.words.length > 0)
  if (!spot) return undefined
  const notes = await writer.page.evaluate(() => window.reader.notes())
  const at = await selectWord(writer, spot)
  const isCode = await writer.page.evaluate(() => {
    const { commonAncestorContainer: node } = window.hugerte.activeEditor.selection.getRng()
    return (node.parentElement?.closest('code') ?? null) !== null
  })
  if (isCode) return text.tokens
  await pressTool(writer, FOOTNOTE_TOOL)
  const added = words(writer)
  await write(writer, added.join(' '))
  const tokens = withTokens(text.tokens, at, ['[note]'])
  return withTokens(tokens, placeOfNote(text.tokens, at, notes) + 1, added)
}
