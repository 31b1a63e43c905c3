// Reads of the seeded posts over the last month, so that authors find numbers on their dashboards.

const DAYS = 30
/** Few enough that the server takes them for people behind one address. */
const MOST = 14
const EVERY = 3
const SPIKE = { day: 5, length: 5 }

type ReadPost = { id: string; daysAgo: number }
/** A read of a post by a guest whose browser has this name. */
type Read = (postId: string, program: string) => Promise<unknown>

/** @param setDay moves the blog's clock so many days back */
export async function seedReads(
  posts: ReadPost[],
  { setDay, read }: { setDay: (daysAgo: number) => void; read: Read },
): Promise<void> {
  const chosen = posts.filter((_post, index) => index % EVERY === 0)
  for (let day = DAYS - 1; day >= 0; day--) {
    setDay(day)
    await Promise.all(
      chosen.flatMap(({ id, daysAgo }, index) =>
        daysAgo < day
          ? []
          : Array.from({ length: readsOn(day, index) }, (_none, reader) =>
              read(id, `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + reader}.0) Firefox`),
            ),
      ),
    )
  }
}

/** A slow week, a busy one, and a day that somebody linked to the post. */
function readsOn(day: number, index: number): number {
  const usual = (day * 5 + index * 3) % 4
  const since = SPIKE.day - day
  const more = since >= 0 && since < SPIKE.length ? Math.round(11 / (since + 1)) : 0
  return Math.min(MOST, usual + (index % 2 === 0 ? more : 0))
}
