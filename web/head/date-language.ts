// The language of dates: the one chosen on this device, else the browser's. The script in the head
// (localise-dates.ts) reads the same setting before the first paint. Independent of accounts.
import { useSyncExternalStore } from 'react'
import { findStored, store } from './device-storage.ts'
import { DATE_LANGUAGE_KEY } from './localise-dates.ts'

const listeners = new Set<() => void>()
let dateLanguage = readLanguage(findStored(DATE_LANGUAGE_KEY))
/** Cached, because creating a format takes milliseconds on a phone and each row has a date. */
const formats = new WeakMap<
  Intl.DateTimeFormatOptions,
  { language: string | undefined; format: Intl.DateTimeFormat }
>()

/** @returns a BCP 47 tag; undefined for the browser's language */
export function getDateLanguage(): string | undefined {
  return dateLanguage
}

/** @param language a BCP 47 tag; any other value means the browser's language */
export function setDateLanguage(language: unknown): void {
  dateLanguage = readLanguage(language)
  store(DATE_LANGUAGE_KEY, dateLanguage)
  for (const listener of listeners) listener()
}

/** The same as `getDateLanguage`, for components. */
export function useDateLanguage(): string | undefined {
  return useSyncExternalStore(onDateLanguage, getDateLanguage, () => undefined)
}

/** @returns a function that unsubscribes */
export function onDateLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param options a constant object, for which one format is cached */
export function formatDate(
  date: Date,
  options: Intl.DateTimeFormatOptions,
  language = getDateLanguage(),
): string {
  let cached = formats.get(options)
  if (!cached || cached.language !== language) {
    cached = { language, format: new Intl.DateTimeFormat(language, options) }
    formats.set(options, cached)
  }
  return cached.format.format(date)
}

function readLanguage(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  try {
    return Intl.getCanonicalLocales(value)[0]
  } catch {
    return undefined
  }
}
