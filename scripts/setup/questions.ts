// Asks in a terminal, or takes the lines that were piped in, one for each question. A line that is
// missing is an empty answer.
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { SettingError } from '../../backend/settings/setting-definitions.ts'

export type Questions = {
  /**
   * Asks until the answer can be read; piped answers are not asked for again.
   *
   * @param read throws a SettingError for an answer that cannot be taken
   */
  ask<Value>(question: string, read: (answer: string) => Value): Promise<Value>
  /** The same, without showing what is typed. */
  askSecretly<Value>(question: string, read: (answer: string) => Value): Promise<Value>
  close(): void
}

export function makeQuestions(): Questions {
  const isAsking = process.stdin.isTTY === true
  let isMuted = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: isAsking })
  const nextLine = makeLines(terminal)
  async function askOnce(question: string, isSecret: boolean): Promise<string> {
    process.stderr.write(question)
    isMuted = isSecret
    const line = await nextLine()
    isMuted = false
    if (isSecret || !isAsking) process.stderr.write('\n')
    return line.trim()
  }
  async function ask<Value>(
    question: string,
    read: (answer: string) => Value,
    isSecret = false,
  ): Promise<Value> {
    for (;;) {
      const answer = await askOnce(question, isSecret)
      try {
        return read(answer)
      } catch (error) {
        if (!isAsking || !(error instanceof SettingError)) throw error
        process.stderr.write(`${error.message}\n`)
      }
    }
  }
  return {
    ask: (question, read) => ask(question, read),
    askSecretly: (question, read) => ask(question, read, true),
    close: () => terminal.close(),
  }
}

/** Lines may come before they are asked for. */
function makeLines(terminal: Interface): () => Promise<string> {
  const lines: string[] = []
  let waiting: ((line: string) => void) | undefined
  let isClosed = false
  terminal.on('line', (line) => {
    if (!waiting) return void lines.push(line)
    waiting(line)
    waiting = undefined
  })
  terminal.on('close', () => {
    isClosed = true
    waiting?.('')
  })
  return () => {
    const line = lines.shift()
    if (line !== undefined || isClosed) return Promise.resolve(line ?? '')
    return new Promise((resolve) => {
      waiting = resolve
    })
  }
}
