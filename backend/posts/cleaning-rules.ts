// Which rules bodies are cleaned and their code is highlighted by, as one short text each: whatever
// changes the outcome changes it, so that nobody has to remember to.
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressNeeds } from './sanitise-addresses.ts'

const CLEANING = './sanitise.ts'
const HIGHLIGHTING = './highlight-code.ts'
const LANGUAGES = new URL('../../contract/code-languages.ts', import.meta.url)
/** Names the version of every package that the rules are made with. */
const LOCK = new URL('../../package-lock.json', import.meta.url)

/** Reads the source files of the rules, which run as they are (decision 0008). */
export function readCleaningRules(needs: AddressNeeds): string {
  const { publicUrl, allowedOrigins, contentBucketId } = needs
  const settings = JSON.stringify([publicUrl, allowedOrigins, contentBucketId])
  return digestOf([...readSources(CLEANING).values(), readPackages(), settings])
}

export function readHighlightRules(): string {
  const languages = readFileSync(LANGUAGES, 'utf8')
  return digestOf([...readSources(HIGHLIGHTING).values(), languages, readPackages()])
}

function readPackages(): string {
  return existsSync(LOCK) ? readFileSync(LOCK, 'utf8') : ''
}

function digestOf(parts: string[]): string {
  return hash('sha256', parts.join('\0'), 'base64')
}

/** The first file of the rules and all that it imports from its own folder, by name. */
export function readSources(first: string): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  const visit = (name: string): void => {
    if (sources.has(name)) return
    const text = readFileSync(new URL(name, import.meta.url), 'utf8')
    sources.set(name, text)
    for (const [, imported = ''] of text.matchAll(/ from '(\.\/[^']+)'/g)) visit(imported)
  }
  visit(first)
  return sources
}
