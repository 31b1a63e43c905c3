// Any other path: if the query has both values of a sign-in link, the page that signs in, else the
// 404 screen. Opening the link alone never signs in: the user presses a button (product.md §O7,
// §O9).
import { LogIn } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useApi } from '../api/client.ts'
import { useCall } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { MessageScreen } from '../ui/screens.tsx'
import type { LinkValues } from './accounts-api.ts'
import { linkValuesIn, OnwardLink } from './emailed-links.tsx'
import { NotFound } from './not-found.tsx'
import { type ReturnState, returnStateOf } from './return-path.ts'
import { useViewer } from './viewer.tsx'

export function OtherPathPage() {
  const { pathname } = useLocation()
  return <OtherPath key={pathname} />
}

function OtherPath() {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const [link] = useState(() => linkValuesIn(search))
  const [returnState] = useState(() => returnStateOf({ search, state }))
  // A wrong address keeps its query; the values of a link are removed at once.
  useEffect(() => {
    if (link && search) void navigate(pathname, { replace: true })
  }, [link, search, pathname, navigate])
  return link ? <SignInLink link={link} returnState={returnState} /> : <NotFound path={pathname} />
}

type SignInLinkProps = {
  link: LinkValues
  /** The page that the user requested before signing in. */
  returnState: ReturnState | null
}

function SignInLink({ link: { userId, secret }, returnState }: SignInLinkProps) {
  const { account, settings } = useApi()
  const { userData } = useViewer()
  const navigate = useNavigate()
  const { isBusy, failure, call } = useCall(async () => {
    await account.updateMagicURLSession(userId, secret)
    await navigate('/dispatch', { replace: true, state: returnState })
  })
  const words = texts.signInLink
  if (failure?.isLinkSpent)
    return (
      <MessageScreen
        screen={words.screen}
        art="off"
        title={texts.mailNotices.expired}
        isAlert
        // If the server sends no mail, only an operator can create the next link.
        actions={
          settings.mail === 'off' ? <OnwardLink /> : <OnwardLink signInText={words.getNew} />
        }
      >
        <p>{settings.mail === 'kept' ? texts.outboxMails.expired : words.expired}</p>
      </MessageScreen>
    )
  return (
    <MessageScreen
      screen={words.screen}
      art="lit"
      title={words.title(settings.siteName)}
      actions={
        <Button
          kind="primary"
          isBusy={isBusy}
          busyLabel={texts.signing.signingIn}
          onClick={() => void call()}
        >
          <LogIn className="icon flip-in-rtl" aria-hidden="true" />
          {texts.signing.in}
        </Button>
      }
    >
      <p>{words.text}</p>
      {userData && <p>{words.signedInAs(<bdi>{userData.name || userData.email}</bdi>)}</p>}
      {failure && <Alert kind="error">{failure.message}</Alert>}
    </MessageScreen>
  )
}
