// The rules by which bodies are cleaned and their code is highlighted, as one short text: whatever
// changes the outcome changes it, so that nobody has to remember to.
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressNeeds } from './sanitise-addresses.ts'

/** The languages, and the version of every package that the rules are made with. */
const BESIDE = ['../../contract/code-languages.ts', '../../package-lock.json']

/** Reads the source files of the rules, which run as they are (decision 0008). */
export function readRules({ publicUrl, allowedOrigins, contentBucketId }: AddressNeeds): string {
  const settings = JSON.stringify([publicUrl, allowedOrigins, contentBucketId])
  const beside = BESIDE.map((name) => new URL(name, import.meta.url)).filter(existsSync)
  const texts = [...readSources('./text-thread.ts').values(), ...beside.map(read), settings]
  return hash('sha256', texts.join('\0'), 'base64')
}

/** A file and all that it imports from its own folder, by name. */
export function readSources(first: string, sources = new Map<string, string>()) {
  const text = read(new URL(first, import.meta.url))
  sources.set(first, text)
  for (const [, imported = ''] of text.matchAll(/ from '(\.\/[^']+)'/g))
    if (!sources.has(imported)) readSources(imported, sources)
  return sources
}

function read(file: URL): string {
  return readFileSync(file, 'utf8')
}
