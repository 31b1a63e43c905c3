// Shows an address as what it leads to, when it stands alone on its line: a player, an embed, or a
// card of a post of this blog. One undo gives the address back.

import type { Editor } from 'hugerte'
import { parseEmbed } from '#contract/embeds.ts'
import { postIdInPath } from '#contract/post-url.ts'
import { withStoredImage } from './card-image.ts'
import type { PasteOptions } from './editor-paste.ts'
import { cardHtml, playerHtml } from './embed-objects.ts'
import { isSameOrigin } from './external-media.ts'
import { emptyLine, insertBlock } from './insert-block.ts'
import { isElement, textOf } from './objects.ts'

/** @param line the block that holds the address and nothing else */
export async function embedAddress(
  options: PasteOptions,
  editor: Editor,
  line: HTMLElement,
): Promise<void> {
  const address = textOf(line).trim()
  const html = parseEmbed(address)
    ? playerHtml(editor, { address, title: '' })
    : await findCard(options, editor, address)
  if (html === undefined || !isStillAlone(editor, line, address)) return
  editor.undoManager.add()
  editor.undoManager.transact(() => {
    const bookmark = editor.selection.getBookmark(2)
    const isBeside = line.contains(editor.selection.getNode())
    emptyLine(editor, line)
    insertBlock(editor, html)
    if (!isBeside) editor.selection.moveToBookmark(bookmark)
  })
  options.onNotice({ kind: 'embed', onKeep: () => editor.undoManager.undo() })
}

async function findCard(
  { findPosts, storeImage }: PasteOptions,
  editor: Editor,
  address: string,
): Promise<string | undefined> {
  if (!isSameOrigin(address) || postIdInPath(new URL(address).pathname) === undefined)
    return undefined
  const found = await findPosts(address)
  const [post] = found.ok ? found.value : []
  return post && cardHtml(editor, await withStoredImage(post, storeImage))
}

/** Loading takes a moment, in which the writer may have gone on in this line. */
function isStillAlone(editor: Editor, line: HTMLElement, address: string): boolean {
  return !editor.removed && isElement(line) && line.isConnected && textOf(line).trim() === address
}
