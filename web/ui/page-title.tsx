// The title in the browser's tab: "{screen} · {site}", and what a search engine says of the page.
// React moves both into the head, on the server too.

type PageTitleProps = {
  screen: string
  site: string
  /** Of pages for everybody. */
  description?: string | undefined
}

export function PageTitle({ screen, site, description }: PageTitleProps) {
  return (
    <>
      <title>{`${screen} · ${site}`}</title>
      {description && <meta name="description" content={description} />}
    </>
  )
}
