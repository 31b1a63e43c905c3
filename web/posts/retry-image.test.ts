// An image that did not load is requested again, twice.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryImage } from './featured-image.tsx'

const SOURCES = { src: '/one', srcSet: '/one 1x, /two 2x' }
type FakeImage = { onload?: () => void; onerror?: () => void }
let images: FakeImage[]

beforeEach(() => {
  vi.useFakeTimers()
  images = []
  vi.stubGlobal(
    'Image',
    class {
      constructor() {
        images.push(this)
      }
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const dispatch = (index: number, event: 'load' | 'error') => images[index]?.[`on${event}`]?.()

test('the image is shown when the second attempt loads it', async () => {
  const onLoad = vi.fn()
  retryImage(SOURCES, onLoad)
  vi.runAllTimers()
  dispatch(0, 'error')
  vi.runAllTimers()
  expect(images[1]).toMatchObject({ src: '/one', srcset: '/one 1x, /two 2x' })
  expect(onLoad).not.toHaveBeenCalled()
  dispatch(1, 'load')
  expect(onLoad).toHaveBeenCalledOnce()
})

test('after two attempts, or once its element is unmounted, the image is not requested again', () => {
  const onLoad = vi.fn()
  retryImage(SOURCES, onLoad)
  for (const index of [0, 1]) {
    vi.runAllTimers()
    dispatch(index, 'error')
  }
  vi.runAllTimers()
  expect(images).toHaveLength(2)
  const stop = retryImage(SOURCES, onLoad)
  vi.runAllTimers()
  stop()
  dispatch(2, 'error')
  vi.runAllTimers()
  dispatch(2, 'load')
  retryImage(SOURCES, onLoad)()
  vi.runAllTimers()
  expect([images.length, onLoad.mock.calls.length]).toEqual([3, 0])
})
