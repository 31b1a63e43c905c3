// The button that signs in with Google, if the site offers that. The icon is Google's own,
// unchanged, on white.
import { useLocation } from 'react-router'
import { type Api, useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import google from './google.svg'
import { nextQueryOf } from './return-path.ts'

export function GoogleButton() {
  const api = useApi()
  const location = useLocation()
  if (!api.settings.hasGoogle) return null
  return (
    <>
      <Button isWide onClick={() => leaveForGoogle(api, nextQueryOf(location))}>
        <GoogleIcon sidePixels={16} />
        {texts.google.button}
      </Button>
      <p className="divider">{texts.google.orEmail}</p>
    </>
  )
}

export function GoogleIcon({ sidePixels }: { sidePixels: number }) {
  return (
    <span className="google-icon">
      <img src={google} alt="" width={sidePixels} height={sidePixels} />
    </span>
  )
}

/**
 * Leaves the page: the client navigates to Google.
 * @param next the result of `nextQueryOf`, which names the page to show after signing in
 */
export function leaveForGoogle(api: Api, next: string): void {
  const { origin } = window.location
  api.account.createOAuth2Session(
    'google',
    `${origin}/verifyOAuth${next}`,
    `${origin}/login${next}`,
  )
}
