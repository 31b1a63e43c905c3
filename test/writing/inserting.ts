// Steps that insert by the editor's menus and dialogs, and by dropping files.
import { dialog, fillDialog, pick, use } from '#test/support/editor-ui.ts'
import type { Content, Tokens } from './text-model.ts'
import { isLine, pickRun, putCaretBehind, type Writer, withTokens, words, write } from './writer.ts'

type Inserted = Promise<Tokens | undefined>

/** Puts the caret at the end of a line of the text. @returns the tokens before it */
async function goBehindLine(writer: Writer, text: Content): Promise<number | undefined> {
  const spot = pickRun(writer, text, (run) => isLine(run) && run.isTop && run.isWhole)
  return spot && (await putCaretBehind(writer, text, spot))
}

async function typeWords(writer: Writer): Promise<string[]> {
  const added = words(writer)
  await write(writer, added.join(' '))
  return added
}

export async function insertRule(writer: Writer, text: Content): Inserted {
  const at = await goBehindLine(writer, text)
  if (at === undefined) return undefined
  await use(writer.page, ['Insert', 'Horizontal line'])
  return withTokens(text.tokens, at, ['[rule]', ...(await typeWords(writer))])
}

/** The first cell of a new table has the caret. */
export async function insertTable(writer: Writer, text: Content): Inserted {
  const at = await goBehindLine(writer, text)
  if (at === undefined) return undefined
  await use(writer.page, ['Table', 'Table'])
  // On touch screens all new tables have one size.
  if (!writer.hasTouch) await pick(writer.page, { row: 2, column: 2 })
  return withTokens(text.tokens, at, ['[table]', ...(await typeWords(writer))])
}

export async function insertByDialog(writer: Writer, text: Content): Inserted {
  const at = await goBehindLine(writer, text)
  if (at === undefined) return undefined
  const name = writer.word()
  const isCode = writer.chance.percent(50)
  await use(writer.page, ['Insert', isCode ? 'Code sample...' : 'Image...'])
  await fillDialog(
    writer.page,
    isCode
      ? { Language: 'JavaScript', Code: `${name}()` }
      : {
          'Use a URL instead': true,
          'Image URL': writer.image,
          'What is in the picture alt text': name,
        },
  )
  const object = isCode ? `[code ${name}()]` : `[image ${name}]`
  return withTokens(text.tokens, at, [object, ...(await typeWords(writer))])
}

export async function linkWord(writer: Writer, text: Content): Inserted {
  const spot = pickRun(writer, text, (run) => isLine(run) && run.words.length > 0)
  if (!spot) return undefined
  const { page, chance } = writer
  const word = chance.oneOf(spot.at.words)
  const from = spot.at.text.indexOf(word)
  await page.evaluate(([run, start, end]) => window.reader.set(run, start, end), [
    spot.run,
    from,
    from + word.length,
  ] as const)
  await page.keyboard.press('Control+k')
  await dialog(page).getByLabel('URL').fill('/post')
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  return text.tokens
}

/** Drops a file over the lower edge of a block: the image must follow that block. */
export async function dropFile(writer: Writer, text: Content): Inserted {
  const { page, image, chance } = writer
  const blocks = await page.evaluate(() => window.reader.blocks())
  const fitting = blocks.filter(({ top, bottom }) => bottom - top >= 6)
  if (fitting.length === 0) return undefined
  const target = chance.oneOf(fitting)
  await page.evaluate(
    async ([address, end]) => {
      const file = await (await fetch(address)).blob()
      // Measured last: an image that finishes loading moves the blocks below it.
      const block = window.reader.blocks().find((one) => one.end === end)
      if (!block) throw new Error('the block has gone')
      const clientY = block.bottom - 2
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([file], 'a.png', { type: file.type }))
      const body = window.hugerte.activeEditor.getBody()
      const at = { clientX: 60, clientY, bubbles: true, cancelable: true }
      for (const type of ['dragover', 'drop'])
        body.dispatchEvent(new DragEvent(type, { dataTransfer, ...at }))
    },
    [image, target.end] as const,
  )
  return withTokens(text.tokens, target.end, ['[image ]', ...(await typeWords(writer))])
}
