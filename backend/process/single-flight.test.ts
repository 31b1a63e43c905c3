// Work for several callers: runs once, and is aborted when all callers are gone.
import { expect, test } from 'vitest'
import { makeSingleFlight } from './single-flight.ts'

test('work under one key runs once, and again when it has ended', async () => {
  const shared = makeSingleFlight<number>()
  let runs = 0
  const work = async () => ++runs
  const ask = () => shared.run('a', undefined, work)
  expect(await Promise.all([ask(), ask(), shared.join('a', undefined)])).toEqual([1, 1, 1])
  expect(shared.join('a', undefined)).toBe(undefined)
  expect(await ask()).toBe(2)
})

test('the first caller may leave: the others still get the result', async () => {
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

test('when all callers are gone the work is aborted, and the next caller starts it again', async () => {
  const shared = makeSingleFlight<string>()
  const first = new AbortController()
  const two = new AbortController()
  const aborted = Promise.withResolvers<unknown>()
  const work = (signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted.resolve(signal.reason)
        reject(signal.reason)
      })
    })
  const waiting = [shared.run('a', first.signal, work), shared.run('a', two.signal, work)]
  const ended = Promise.allSettled(waiting)
  await Promise.resolve()
  first.abort(new Error('first gone'))
  two.abort(new Error('last gone'))
  expect(await aborted.promise).toMatchObject({ message: 'last gone' })
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await shared.run('a', undefined, async () => 'again')).toBe('again')
})

test('work of a caller who disconnects before the start is aborted at once', async () => {
  const shared = makeSingleFlight<string>()
  const signal = AbortSignal.abort(new Error('gone'))
  let wasAborted: boolean | undefined
  const result = shared.run('a', signal, async (workSignal) => {
    wasAborted = workSignal.aborted
    return 'done'
  })
  await expect(result).rejects.toThrow('gone')
  expect(wasAborted).toBe(true)
})
