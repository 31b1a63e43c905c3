// Work for several callers: done once, dropped when all are gone.
import { expect, test } from 'vitest'
import { makeSingleFlight } from './single-flight.ts'

test('work under one key is done once, and done anew when it has ended', async () => {
  const shared = makeSingleFlight<number>()
  let runs = 0
  const work = async () => ++runs
  const ask = () => shared.run('a', undefined, work)
  expect(await Promise.all([ask(), ask(), shared.join('a', undefined)])).toEqual([1, 1, 1])
  expect(shared.join('a', undefined)).toBe(undefined)
  expect(await ask()).toBe(2)
})

test('the first caller may go: the others still get the result', async () => {
  const shared = makeSingleFlight<string>()
  const gate = Promise.withResolvers<string>()
  const gone = new AbortController()
  let isDropped = false
  const first = shared.run('a', gone.signal, (signal) => {
    signal.addEventListener('abort', () => {
      isDropped = true
    })
    return gate.promise
  })
  const second = shared.run('a', new AbortController().signal, async () => 'never started')
  gone.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  gate.resolve('drawn')
  expect([await second, isDropped]).toEqual(['drawn', false])
})

test('when all are gone the work is told, and the next caller starts anew', async () => {
  const shared = makeSingleFlight<string>()
  const one = new AbortController()
  const two = new AbortController()
  const told = Promise.withResolvers<unknown>()
  const work = (signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        told.resolve(signal.reason)
        reject(signal.reason)
      })
    })
  const waiting = [shared.run('a', one.signal, work), shared.run('a', two.signal, work)]
  const ended = Promise.allSettled(waiting)
  await Promise.resolve()
  one.abort(new Error('first gone'))
  two.abort(new Error('last gone'))
  expect(await told.promise).toMatchObject({ message: 'last gone' })
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await shared.run('a', undefined, async () => 'anew')).toBe('anew')
})

test('a caller who is gone before the start starts nothing that goes on', async () => {
  const shared = makeSingleFlight<string>()
  const signal = AbortSignal.abort(new Error('gone'))
  let wasAborted: boolean | undefined
  const asked = shared.run('a', signal, async (own) => {
    wasAborted = own.aborted
    return 'done'
  })
  await expect(asked).rejects.toThrow('gone')
  expect(wasAborted).toBe(true)
})
