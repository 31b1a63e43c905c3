// Packages of hundreds of small files, as the build has put them together in few: reading the files
// one by one takes a quarter of a start.
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

/** By the name of the file, what is imported. */
export const BUNDLED: Record<string, string> = {
  kysely: 'kysely',
  'kysely-migration': 'kysely/migration',
  typebox: 'typebox',
  'typebox-value': 'typebox/value',
}

export const BUNDLES = new URL('../build/packages/', import.meta.url)

/** From now on the backend imports the bundles, where there are any. */
export function importBundles(): void {
  const urls = new Map<string, URL>()
  for (const [name, specifier] of Object.entries(BUNDLED))
    urls.set(specifier, new URL(`${name}.js`, BUNDLES))
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      // What is stale is built again before the first of them is imported.
      if (!url || !existsSync(fileURLToPath(url))) return next(specifier, context)
      return { url: url.href, format: 'module', shortCircuit: true }
    },
  })
}
