// Puts a text on the clipboard and says so.
import { texts } from '../locales/texts.ts'
import { useToasts } from './toasts.tsx'

/** @returns copies a text, and answers whether that was possible */
export function useCopying(): (text: string, done: string) => Promise<boolean> {
  const toasts = useToasts()
  return async (text, done) => {
    const isCopied = await copyText(text)
    toasts.show(
      isCopied ? { kind: 'ok', text: done } : { kind: 'error', text: texts.copying.failed },
    )
    return isCopied
  }
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** The way of old, for addresses without https, where there is no clipboard. */
function copySelected(text: string): boolean {
  const opener = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  return isCopied
}
