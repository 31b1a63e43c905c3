// The steps of a writer, each with the text that is expected after it.
import { addFootnote, insertByName, leaveInserter, useBubble } from './blocks.ts'
import { dropFile, insertByDialog, insertRule, insertTable, linkWord } from './inserting.ts'
import type { Content, Tokens } from './text-model.ts'
import {
  isLine,
  paste,
  pickRun,
  press,
  putCaretBehind,
  readText,
  type Writer,
  withTokens,
  words,
  write,
} from './writer.ts'

export type Step = {
  name: string
  /** Relative frequency. */
  share: number
  /** @returns the expected text; undefined if the step was not possible */
  run(writer: Writer, text: Content): Promise<Tokens | undefined>
}

async function typeAtEnd(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(writer, text, ({ isWhole, words }) => isWhole || words.length > 0)
  if (!spot) return undefined
  const at = await putCaretBehind(writer, text, spot)
  const added = words(writer)
  await write(writer, `${spot.words > 0 ? ' ' : ''}${added.join(' ')}`)
  return withTokens(text.tokens, at, added)
}

async function typeInside(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(writer, text, (run) => run.words.length > 1)
  if (!spot) return undefined
  const behind = 1 + writer.chance.below(spot.words - 1)
  const at = await putCaretBehind(writer, text, { ...spot, words: behind })
  const added = words(writer)
  await write(writer, ` ${added.join(' ')}`)
  return withTokens(text.tokens, at, added)
}

async function newLine(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(writer, text, (run) => run.words.length > 0)
  if (!spot) return undefined
  const behind = writer.chance.percent(75) ? spot.words : writer.chance.below(spot.words)
  const isSplit = behind < spot.words
  if (isSplit && spot.at.holder === 'figcaption') return undefined
  const at = await putCaretBehind(writer, text, { ...spot, words: behind })
  await writer.page.keyboard.press('Enter')
  const added = words(writer)
  await write(writer, `${added.join(' ')}${isSplit ? ' ' : ''}`)
  return withTokens(text.tokens, at, added)
}

async function joinLines(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(
    writer,
    text,
    (run) =>
      run.holder === 'p' &&
      run.isTop &&
      run.isWhole &&
      run.words.length > 0 &&
      !run.hasObjectBefore,
  )
  const before = spot && text.runs[spot.run - 1]
  if (
    !spot ||
    !before?.isTop ||
    !before.isWhole ||
    before.holder !== 'p' ||
    before.words.length === 0
  )
    return undefined
  await putCaretBehind(writer, text, { ...spot, words: 0 })
  await writer.page.keyboard.press('Backspace')
  await write(writer, ' ')
  return text.tokens
}

/** Backspace and Delete towards an object only select it; text typed then follows the object. */
async function deleteTowardsObject(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const isForward = writer.chance.percent(50)
  const spot = pickRun(
    writer,
    text,
    (run) =>
      run.isTop &&
      run.isWhole &&
      isLine(run) &&
      run.words.length > 0 &&
      (isForward ? run.hasObjectAfter : run.hasObjectBefore),
  )
  if (!spot) return undefined
  await putCaretBehind(writer, text, { ...spot, words: isForward ? spot.words : 0 })
  await writer.page.keyboard.press(isForward ? 'Delete' : 'Backspace')
  return text.tokens
}

async function deleteWord(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(writer, text, (run) => run.words.length > 2)
  if (!spot) return undefined
  const at = await putCaretBehind(writer, text, spot)
  const { page } = writer
  for (const _letter of spot.at.words.at(-1) ?? '') await page.keyboard.press('Backspace')
  const remaining = text.tokens.toSpliced(at - 1, 1)
  // At the edge of a link the first press only steps into it.
  const isGone = await page.evaluate((tokens) => window.reader.shows(tokens), remaining)
  if (!isGone) await page.keyboard.press('Backspace')
  return remaining
}

const OBJECT = /^\[/

/** An object as HTML and as tokens. */
function makeObject(writer: Writer): { html: string; tokens: string[] } {
  const name = writer.word()
  const image = `<img src="${writer.image}" alt="${name}" width="64" height="36">`
  return writer.chance.oneOf([
    { html: '<hr>', tokens: ['[rule]'] },
    { html: `<p>${image}</p>`, tokens: [`[image ${name}]`] },
    {
      html: `<figure>${image}<figcaption>${name}cap</figcaption></figure>`,
      tokens: [`[image ${name}]`, `${name}cap`],
    },
    {
      html: `<pre class="language-javascript"><code>${name}()</code></pre>`,
      tokens: [`[code ${name}()]`],
    },
    {
      html: `<p><iframe src="https://www.youtube-nocookie.com/embed/${name.padEnd(11, '0')}" width="560" height="314"></iframe></p>`,
      tokens: [`[video ${name.padEnd(11, '0')}]`],
    },
    {
      html: `<table><tbody><tr><td>${name}a</td><td>${name}b</td></tr></tbody></table>`,
      tokens: ['[table]', `${name}a`, `${name}b`],
    },
  ])
}

async function insertObject(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(writer, text, (run) => isLine(run) && run.isTop && run.isWhole)
  if (!spot) return undefined
  const behind = writer.chance.percent(50) ? spot.words : writer.chance.below(spot.words + 1)
  await putCaretBehind(writer, text, { ...spot, words: behind })
  const isBefore = behind === 0 && spot.words > 0
  const at = spot.at.start + (isBefore ? 0 : spot.words)
  const { html, tokens } = makeObject(writer)
  // As copied in the editor itself: a player from another page would become a link.
  const isOwn = html.includes('<iframe') || writer.chance.percent(30)
  await paste(writer.page, {
    'text/html': html,
    'text/plain': '',
    ...(isOwn && { 'x-hugerte/html': html }),
  })
  const added = words(writer)
  await write(writer, added.join(' '))
  return withTokens(text.tokens, at, [...tokens, ...added])
}

/** Text typed while an object is selected must follow it. */
async function typeWithObject(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const { page, chance } = writer
  const objects = (await page.evaluate(() => window.reader.objects())).filter(
    ({ token }) => token !== '[table]',
  )
  if (objects.length === 0) return undefined
  const index = chance.below(objects.length)
  const object = objects[index]
  if (!object) return undefined
  const box = await page.evaluate((token) => {
    const object = window.reader.objects().find((one) => one.token === token)
    const frame = document.querySelector('iframe.tox-edit-area__iframe')
    if (!object || !frame) return undefined
    const y = () => frame.getBoundingClientRect().top + (object.top + object.bottom) / 2
    scrollBy(0, y() - innerHeight / 2)
    return { x: frame.getBoundingClientRect().left + 40, y: y() }
  }, object.token)
  const isOne = objects.filter(({ token }) => token === object.token).length === 1
  if (!box || !isOne) return undefined
  await press(writer, box.x, box.y)
  const added = words(writer)
  if (chance.percent(40)) await page.keyboard.press('Enter')
  await write(writer, added.join(' '))
  return withTokens(text.tokens, object.end, added)
}

async function pasteText(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(writer, text, (run) => isLine(run) && run.words.length > 0)
  if (!spot) return undefined
  const behind = 1 + writer.chance.below(spot.words)
  const at = await putCaretBehind(writer, text, { ...spot, words: behind })
  await write(writer, ' ')
  const added = words(writer)
  const half = Math.ceil(added.length / 2)
  const plain = `${added.join(' ')} `
  const html = `<p>${added.slice(0, half).join(' ')}</p><p>${added.slice(half).join(' ')} </p>`
  await paste(
    writer.page,
    writer.chance.percent(50)
      ? { 'text/plain': plain }
      : { 'text/html': html, 'text/plain': plain },
  )
  return withTokens(text.tokens, at, added)
}

const MARKS = ['Control+b', 'Control+i']
const BLOCKS = ['Shift+Alt+2', 'Shift+Alt+3', 'Shift+Alt+7']

async function toggle(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const spot = pickRun(writer, text, (run) => isLine(run) && run.isTop && run.words.length > 0)
  if (!spot) return undefined
  const { page, chance } = writer
  const word = chance.oneOf(spot.at.words)
  const from = spot.at.text.indexOf(word)
  if (chance.percent(60)) {
    await page.evaluate(([run, start, end]) => window.reader.set(run, start, end), [
      spot.run,
      from,
      from + word.length,
    ] as const)
    await page.keyboard.press(chance.oneOf(MARKS))
  } else {
    await putCaretBehind(writer, text, spot)
    if (chance.percent(60)) await page.keyboard.press(chance.oneOf(BLOCKS))
    else
      await page
        .locator(`.tox-editor-header [data-mce-name="${chance.oneOf(['bullist', 'numlist'])}"]`)
        .locator('.tox-tbtn')
        .first()
        .click()
  }
  return text.tokens
}

/** Drags an object to another block: it lands between two blocks. */
async function dragObject(writer: Writer, text: Content): Promise<Tokens | undefined> {
  const { page, chance } = writer
  if (writer.hasTouch) return undefined
  const layout = await page.evaluate(() => {
    const frame = document.querySelector('iframe.tox-edit-area__iframe')?.getBoundingClientRect()
    const isVisible = (y: number) =>
      y + (frame?.top ?? 0) > 140 && y + (frame?.top ?? 0) < innerHeight
    return {
      x: frame?.left ?? 0,
      shift: frame?.top ?? 0,
      objects: window.reader
        .objects()
        .filter(({ top, bottom }) => isVisible(top) && isVisible(bottom + 40)),
      ends: window.reader.blocks().map(({ end }) => end),
      blocks: window.reader.blocks().filter(({ bottom }) => isVisible(bottom)),
    }
  })
  const objects = layout.objects.filter(({ token }) => token !== '[table]')
  if (objects.length === 0 || layout.blocks.length < 2) return undefined
  const object = chance.oneOf(objects)
  const target = chance.oneOf(layout.blocks)
  const isSelf =
    target.end > object.index && target.top <= object.top && target.bottom >= object.top
  if (isSelf || target.bottom - target.top < 6) return undefined
  const y = layout.shift + (object.top + object.bottom) / 2
  await page.mouse.move(layout.x + 50, y)
  await page.mouse.down()
  await page.mouse.move(layout.x + 80, y + 14, { steps: 3 })
  await page.mouse.move(layout.x + 90, layout.shift + target.bottom - 2, { steps: 5 })
  await page.mouse.up()
  const moved = text.tokens.slice(object.index, object.end)
  const remaining = text.tokens.toSpliced(object.index, moved.length)
  // Near the edge of the window the text scrolls under the pointer: any boundary is right.
  const boundaries = [0, ...layout.ends].map((end) =>
    withTokens(remaining, end > object.index ? end - moved.length : end, moved),
  )
  const { tokens } = await readText(page)
  return boundaries.find((one) => one.join(' ') === tokens.join(' ')) ?? text.tokens
}

export const STEPS: readonly Step[] = [
  { name: 'types at the end of a line', share: 26, run: typeAtEnd },
  { name: 'types between two words', share: 12, run: typeInside },
  { name: 'presses Enter and types', share: 18, run: newLine },
  { name: 'joins two lines', share: 3, run: joinLines },
  { name: 'deletes towards an object', share: 5, run: deleteTowardsObject },
  { name: 'deletes a word', share: 4, run: deleteWord },
  { name: 'pastes an object and types', share: 8, run: insertObject },
  { name: 'inserts a rule by the menu and types', share: 1, run: insertRule },
  { name: 'inserts a table by the menu and types', share: 1, run: insertTable },
  { name: 'inserts an image or code by a dialog and types', share: 3, run: insertByDialog },
  { name: 'links a word', share: 1, run: linkWord },
  { name: 'types with an object selected', share: 7, run: typeWithObject },
  { name: 'pastes text', share: 5, run: pasteText },
  { name: 'toggles a format', share: 7, run: toggle },
  { name: 'drags an object', share: 5, run: dragObject },
  { name: 'drops an image file and types', share: 2, run: dropFile },
  { name: 'inserts a block by its name and types', share: 18, run: insertByName },
  { name: 'leaves the inserter and types', share: 3, run: leaveInserter },
  { name: 'uses a tool for a word', share: 8, run: useBubble },
  { name: 'adds a footnote to a word', share: 3, run: addFootnote },
]

export const isObjectToken = (token: string): boolean => OBJECT.test(token)
