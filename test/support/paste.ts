// A paste into the editor with any clipboard content.
import type { Page } from '@playwright/test'
import { editorBody } from './people.ts'

export type PastedItems = {
  html?: string
  text?: string
  rtf?: string
  files?: { name: string; type: string; bytes: Buffer }[]
}

/** Pastes where the caret is. */
export async function paste(
  page: Page,
  { html, text, rtf, files = [] }: PastedItems,
): Promise<void> {
  await editorBody(page).evaluate(
    (body, items) => {
      const transfer = new DataTransfer()
      for (const [type, value] of Object.entries(items.texts))
        if (value !== undefined) transfer.setData(type, value)
      for (const { name, type, base64 } of items.files) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type }))
      }
      const anchor = body.ownerDocument.getSelection()?.anchorNode
      const target = anchor instanceof Element ? anchor : (anchor?.parentElement ?? body)
      target.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }),
      )
    },
    {
      texts: { 'text/html': html, 'text/plain': text, 'text/rtf': rtf },
      files: files.map(({ bytes, ...rest }) => ({ ...rest, base64: bytes.toString('base64') })),
    },
  )
}
