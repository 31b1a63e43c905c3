// Copies a text to the clipboard, and shows a toast that says so.
import { texts } from '../locales/texts.ts'
import { useToasts } from './toasts.tsx'

/** @returns a function that copies a text, and resolves to whether that succeeded */
export function useCopying(): (text: string, doneText: string) => Promise<boolean> {
  const toasts = useToasts()
  return (text, doneText) => copyAndReport(toasts, text, doneText)
}

export async function copyAndReport(
  toasts: ReturnType<typeof useToasts>,
  text: string,
  doneText: string,
): Promise<boolean> {
  const isCopied = await copyText(text)
  toasts.show(
    isCopied ? { kind: 'ok', text: doneText } : { kind: 'error', text: texts.copying.failed },
  )
  return isCopied
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyWithCommand(text)
  }
}

/** The old way, for addresses without HTTPS, where browsers have no clipboard API. */
function copyWithCommand(text: string): boolean {
  const previouslyFocused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (previouslyFocused instanceof HTMLElement) previouslyFocused.focus({ preventScroll: true })
  return isCopied
}
