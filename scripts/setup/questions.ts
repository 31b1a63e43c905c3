// Asks questions in a terminal, or reads the answers from piped lines, one for each question. A
// missing line is an empty answer.
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { SettingError } from '../../backend/settings/setting-definitions.ts'

export type Questions = {
  /**
   * Repeats the question until the answer is valid; piped answers are not repeated.
   *
   * @param read throws a SettingError for an invalid answer
   */
  ask<Value>(question: string, read: (answer: string) => Value): Promise<Value>
  /** Like `ask`, but does not show the typed text. */
  askSecretly<Value>(question: string, read: (answer: string) => Value): Promise<Value>
  close(): void
}

export function makeQuestions(): Questions {
  const isInteractive = process.stdin.isTTY === true
  let isMuted = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: isInteractive })
  const nextLine = makeLines(terminal)
  async function askOnce(question: string, isSecret: boolean): Promise<string> {
    process.stderr.write(question)
    isMuted = isSecret
    const line = await nextLine()
    isMuted = false
    if (isSecret || !isInteractive) process.stderr.write('\n')
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
        if (!isInteractive || !(error instanceof SettingError)) throw error
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

/** Buffers lines that arrive before they are needed. */
function makeLines(terminal: Interface): () => Promise<string> {
  const lines: string[] = []
  let resolveNext: ((line: string) => void) | undefined
  let isClosed = false
  terminal.on('line', (line) => {
    if (!resolveNext) return void lines.push(line)
    resolveNext(line)
    resolveNext = undefined
  })
  terminal.on('close', () => {
    isClosed = true
    resolveNext?.('')
  })
  return () => {
    const line = lines.shift()
    if (line !== undefined || isClosed) return Promise.resolve(line ?? '')
    return new Promise((resolve) => {
      resolveNext = resolve
    })
  }
}
