// Finds points where the text of a post covers the page around it (threat-model.md §8).
import type { Page } from '@playwright/test'

/**
 * Finds texts that receive clicks outside of their box, with the top and the bottom of the text in
 * the middle of the window.
 *
 * @param texts replace the text one after the other; undefined leaves it as it is
 * @param count how many points around the text are tested
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
