// `npm run settings`: writes docs/settings.md and .env.example from the definitions of the settings
// and their comments.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCommandLine } from './command-line.ts'
import { ROOT } from './processes.ts'

const TABLE = 'backend/settings/setting-definitions.ts'
const ENTRY = /\/\*\*(.+?)\*\/\s+([A-Z\d_]+): '(.*?)',/gs
const HEAD = `# Settings

Written by \`npm run settings\` from \`${TABLE}\`: change the table, not this page.

Every setting is an environment variable. Every command (start, seed, admin, backup …) also reads \`settings.env\` in the data folder
(\`BLOG_DATA_DIR\`); an environment variable takes precedence. Operators can set name, line, readers and registration in the browser while neither
does. With \`_FILE\` at its end a variable names a file that holds the value: \`BLOG_API_KEY_FILE=/run/secrets/key\`. A wrong value stops the start.
[.env.example](../.env.example) lists the same settings as a file to copy.

| Variable | Default | Description |
|---|---|---|
`

type Setting = { name: string; value: string; text: string }

export function readSettings(): Setting[] {
  const [, table = ''] = readFileSync(join(ROOT, TABLE), 'utf8').split('export const SETTINGS = {')
  return [...table.matchAll(ENTRY)].map(([, comment = '', name = '', value = '']) => ({
    name,
    value,
    text: comment.replace(/\s+(?:\* )?/g, ' ').trim(),
  }))
}

/** Path -> text of the files that describe the settings. */
export function describeSettings(): Record<string, string> {
  const settings = readSettings()
  const row = ({ name, value, text }: Setting) => `| \`${name}\` | ${code(value)} | ${text} |\n`
  const lines = ({ name, value, text }: Setting) => `# ${text}\n${name}=${value}\n`
  return {
    'docs/settings.md': HEAD + settings.map(row).join(''),
    '.env.example': settings.map(lines).join(''),
  }
}

function code(value: string): string {
  return value === '' ? 'empty' : `\`${value}\``
}

const isRun = process.argv[1] === import.meta.filename
if (isRun)
  parseCommandLine('npm run settings    writes docs/settings.md and .env.example', { options: {} })
if (isRun)
  for (const [path, text] of Object.entries(describeSettings()))
    writeFileSync(join(ROOT, path), text)
