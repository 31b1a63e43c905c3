// The title in the browser's tab: "{screen} · {site}", and what a search engine says of the page.
// React moves both into the head, on the server too.
import { createContext, useContext } from 'react'

/** What every title ends with. */
export const SiteName = createContext('')

type PageTitleProps = {
  screen: string
  /** Of pages for everybody. */
  description?: string | undefined
}

export function PageTitle({ screen, description }: PageTitleProps) {
  const site = useContext(SiteName)
  return (
    <>
      <title>{`${screen} · ${site}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  )
}
