// Where the text of a post lies over the page around it (threat-model.md §8).
import type { Page } from '@playwright/test'

/**
 * Texts that are pressed where the page around them is; with the begin of the text in the middle of
 * the window, and with its end.
 *
 * @param texts put in place of the text one after the other; undefined leaves it
 * @param count how many points of the page around the text are looked at
 */
export async function coveredPoints(
  page: Page,
  { texts, count }: { texts: (string | undefined)[]; count: number },
): Promise<string[]> {
  return await page.evaluate(
    ([texts, pointCount]) => {
      const box = document.querySelector('.text-box')
      const text = box?.querySelector('.prose')
      if (!box || !text) throw new Error('There is no text')
      function findOutside(): [x: number, y: number][] {
        const { top, right, bottom, left } = (box as Element).getBoundingClientRect()
        const outside: [x: number, y: number][] = []
        for (let x = 3; x < innerWidth; x += innerWidth / 50)
          for (let y = 3; y < innerHeight; y += innerHeight / 50)
            if (x < left - 1 || x > right + 1 || y < top - 1 || y > bottom + 1) outside.push([x, y])
        if (outside.length < pointCount)
          throw new Error(`Only ${outside.length} points are outside`)
        const step = outside.length / pointCount
        return Array.from(
          { length: pointCount },
          (_, at) => outside[Math.floor(at * step)] ?? [0, 0],
        )
      }
      return texts.flatMap((html) => {
        if (html !== undefined) text.innerHTML = html
        return (['top', 'bottom'] as const).flatMap((edge) => {
          scrollBy({
            top: box.getBoundingClientRect()[edge] - innerHeight / 2,
            behavior: 'instant',
          })
          const covered = findOutside().filter(([x, y]) =>
            box.contains(document.elementFromPoint(x, y)),
          )
          return covered.length > 0 ? [`${covered.length} points at the ${edge}: ${html}`] : []
        })
      })
    },
    [texts, count] as const,
  )
}
