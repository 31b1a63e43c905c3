// The title in the browser's tab: "{screen} · {site}". React moves it into the head, on the server
// too.

export function PageTitle({ screen, site }: { screen: string; site: string }) {
  return <title>{`${screen} · ${site}`}</title>
}
