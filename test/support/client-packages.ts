// The published client packages that tests drive, unmodified. Two are among the project's packages:
// `appwrite`, which the web app uses, and `appwrite-newest`. Older majors are in test/clients,
// which only `npm run test:more` installs: tests that use them have the tag "more".
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const OLDER_MANIFEST = resolve('test/clients/package.json')
const requireOlder = createRequire(OLDER_MANIFEST)

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>

const versions = [resolve('package.json'), OLDER_MANIFEST]
  .map((file): Manifest => JSON.parse(readFileSync(file, 'utf8')))
  .flatMap(({ dependencies, devDependencies }) => [
    ...Object.entries(dependencies ?? {}),
    ...Object.entries(devDependencies ?? {}),
  ])
  .map(([name, version]) => [name, version.replace(/^npm:.*@/, '')] as const)

/** Versions of the web client by the names of their packages, oldest first. */
export const WEB_CLIENT_VERSIONS = new Map(
  versions
    .filter(([name]) => /^appwrite(-|$)/.test(name))
    .toSorted(([, a], [, b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
)

/** The tags of tests of a client: older majors are tested in `npm run test:more` only. */
export function tagsOf(packageName: string): string[] {
  return /-\d+$/.test(packageName) ? ['more'] : []
}

/** @param packageName such as `appwrite-16`; the type parameter describes its exports */
export function loadOlderClient<Sdk>(packageName: string): Sdk {
  try {
    return requireOlder(packageName)
  } catch (cause) {
    const how = 'npm run test:more installs it'
    throw new Error(`${packageName} of test/clients is not installed: ${how}`, { cause })
  }
}

/** Where the script for a page without modules is. */
export function clientScript(packageName: string): string {
  const folder = tagsOf(packageName).length > 0 ? 'test/clients' : '.'
  return resolve(folder, 'node_modules', packageName, 'dist/iife/sdk.js')
}
