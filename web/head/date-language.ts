// The language that dates are written in: the one that was chosen on this device, else the
// browser's own. The script in the head (localise-dates.ts) reads the same choice before the first
// paint. Knows nothing of accounts.
import { useSyncExternalStore } from 'react'
import { findStored, store } from './device-storage.ts'
import { DATE_LANGUAGE_KEY } from './localise-dates.ts'

const listeners = new Set<() => void>()
let chosen = readLanguage(findStored(DATE_LANGUAGE_KEY))
/** To make one takes a phone milliseconds, and a list has a date in every row. */
const formats = new WeakMap<
  Intl.DateTimeFormatOptions,
  { language: string | undefined; format: Intl.DateTimeFormat }
>()

/** @returns BCP 47; undefined for the language of the browser */
export function getDateLanguage(): string | undefined {
  return chosen
}

/** @param language anything but a language means that of the browser */
export function setDateLanguage(language: unknown): void {
  chosen = readLanguage(language)
  store(DATE_LANGUAGE_KEY, chosen)
  for (const listener of listeners) listener()
}

/** The same as `getDateLanguage`, for components. */
export function useDateLanguage(): string | undefined {
  return useSyncExternalStore(onDateLanguage, getDateLanguage, () => undefined)
}

/** @returns a function that stops listening */
export function onDateLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param options a constant: its format is made once */
export function formatDate(
  date: Date,
  options: Intl.DateTimeFormatOptions,
  language = getDateLanguage(),
): string {
  let made = formats.get(options)
  if (!made || made.language !== language) {
    made = { language, format: new Intl.DateTimeFormat(language, options) }
    formats.set(options, made)
  }
  return made.format.format(date)
}

function readLanguage(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  try {
    return Intl.getCanonicalLocales(value)[0]
  } catch {
    return undefined
  }
}
