// Calls pg_dump and pg_restore, the programs of PostgreSQL itself. Of several versions the lowest
// that knows the server is taken: a newer one may write what the server does not understand.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { CopyProblem } from './problem.ts'

export type Program = { path: string; major: number }

/** Where Debian and its children keep one folder for each version. */
const VERSIONS = '/usr/lib/postgresql'
const OUTPUT_MAX_BYTES = 1024 * 1024

/**
 * @param major version of the server
 * @param folders where to look
 * @throws CopyProblem when there is none, or only one too old for the server
 */
export async function findPgProgram(name: string, major: number, folders?: string[]) {
  const paths = (folders ?? (await usualFolders())).map((folder) => join(folder, name))
  const found = (await Promise.all(paths.map(readProgram))).filter(
    (program) => program !== undefined,
  )
  const fit = found.toSorted((a, b) => a.major - b.major).find((program) => program.major >= major)
  if (fit) return fit
  const install = `install the client programs of PostgreSQL ${major} (Debian: postgresql-client-${major})`
  const newest = Math.max(...found.map((program) => program.major))
  throw new CopyProblem(
    found.length > 0
      ? `${name} ${newest} is too old for this PostgreSQL ${major}: ${install}`
      : `${name} is missing: ${install}`,
  )
}

async function usualFolders(): Promise<string[]> {
  const versions = await readdir(VERSIONS).catch(() => [])
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return [...path, ...versions.map((version) => join(VERSIONS, version, 'bin'))]
}

async function readProgram(path: string): Promise<Program | undefined> {
  const answer = await run(path, ['--version'], {}).catch(() => '')
  const major = /\(PostgreSQL\) (\d+)/.exec(answer)?.[1]
  return major ? { path, major: Number(major) } : undefined
}

/**
 * Runs a program on a database. The password goes by the environment: a command line can be read by
 * everybody on the machine.
 *
 * @throws CopyProblem with what the program said
 */
export async function runPgProgram({ path }: Program, args: string[], url: string): Promise<void> {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  await run(path, [...args, `--dbname=${address.href}`], password ? { PGPASSWORD: password } : {})
}

/** Reads an archive of pg_dump to its end. @throws CopyProblem with what is wrong */
export async function readArchive(program: Program, path: string): Promise<void> {
  await run(program.path, ['--file=/dev/null', path], {})
}

function run(path: string, args: string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: OUTPUT_MAX_BYTES }
    execFile(path, args, options, (error, out, err) => {
      if (!error) resolve(out)
      else reject(new CopyProblem(err.trim().split('\n').slice(0, 3).join(' ') || error.message))
    })
  })
}
