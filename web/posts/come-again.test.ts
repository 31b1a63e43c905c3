// A picture that did not come is asked for again, twice.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { comeAgain } from './featured-image.tsx'

const SOURCES = { src: '/one', srcSet: '/one 1x, /two 2x' }
type Asked = { onload?: () => void; onerror?: () => void }
let asked: Asked[]

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  vi.stubGlobal(
    'Image',
    class {
      constructor() {
        asked.push(this)
      }
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const end = (at: number, how: 'load' | 'error') => asked[at]?.[`on${how}`]?.()

test('it is there at the second try', async () => {
  const onThere = vi.fn()
  comeAgain(SOURCES, onThere)
  vi.runAllTimers()
  end(0, 'error')
  vi.runAllTimers()
  expect(asked[1]).toMatchObject({ src: '/one', srcset: '/one 1x, /two 2x' })
  expect(onThere).not.toHaveBeenCalled()
  end(1, 'load')
  expect(onThere).toHaveBeenCalledOnce()
})

test('after two tries, or once the place on the page has gone, it is asked for no more', () => {
  const onThere = vi.fn()
  comeAgain(SOURCES, onThere)
  for (const at of [0, 1]) {
    vi.runAllTimers()
    end(at, 'error')
  }
  vi.runAllTimers()
  expect(asked).toHaveLength(2)
  const stop = comeAgain(SOURCES, onThere)
  vi.runAllTimers()
  stop()
  end(2, 'error')
  vi.runAllTimers()
  end(2, 'load')
  comeAgain(SOURCES, onThere)()
  vi.runAllTimers()
  expect([asked.length, onThere.mock.calls.length]).toEqual([3, 0])
})
