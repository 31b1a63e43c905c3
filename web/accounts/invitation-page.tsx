// /invitation: the page that invitation links open. The values of the link are removed from the
// address and stay only in memory; opening the page does not use the link up (threat-model.md §4
// "Invitation").
import { MailOpen } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { OwnInvitation } from '#contract/accounts.ts'
import { useApi } from '../api/client.ts'
import { useLocalText } from '../dates/dates.tsx'
import { useCall } from '../forms/use-form.ts'
import { DATE_FORMAT } from '../head/localise-dates.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { LoadingText } from '../ui/screens.tsx'
import { AccountCard, CardNotice } from './account-card.tsx'
import { type LinkValues, readInvitation } from './accounts-api.ts'
import { linkValuesIn, useQueryOnce } from './emailed-links.tsx'
import { SignUpForm } from './sign-up-page.tsx'
import { useViewer } from './viewer.tsx'

export function InvitationPage() {
  const { isChecking, status } = useViewer()
  const link = useQueryOnce(linkValuesIn)
  if (!link)
    return <Message title={texts.invitation.incomplete} text={texts.invitation.incompleteText} />
  if (isChecking) return <Loading />
  return status ? <SignedIn /> : <Invited link={link} />
}

function Invited({ link }: { link: LinkValues }) {
  const api = useApi()
  const [invitation, setInvitation] = useState<OwnInvitation | undefined>()
  const { failure, call } = useCall(async () => setInvitation(await readInvitation(api, link)))
  const loadOnce = useEffectEvent(call)
  useEffect(() => void loadOnce(), [])

  if (failure?.isLinkSpent)
    return <Message title={texts.invitation.expired} text={texts.invitation.expiredText} />
  if (invitation)
    return (
      <SignUpForm
        invited={{ email: invitation.email, link }}
        notice={<InvitationNotice invitation={invitation} />}
      />
    )
  if (!failure) return <Loading />
  return (
    <AccountCard title={texts.signUp.title} screen={texts.invitation.screen}>
      <Alert kind="error">{failure.message}</Alert>
      <Button kind="primary" onClick={() => void call()}>
        {texts.actions.tryAgain}
      </Button>
    </AccountCard>
  )
}

function Loading() {
  return (
    <AccountCard title={texts.signUp.title} screen={texts.invitation.screen}>
      <LoadingText>{texts.loading.page}</LoadingText>
    </AccountCard>
  )
}

function InvitationNotice({ invitation: { name, email, expire } }: { invitation: OwnInvitation }) {
  const { settings } = useApi()
  const until = useLocalText(expire, DATE_FORMAT)
  return (
    <CardNotice Icon={MailOpen}>
      <b>{texts.invitation.title}</b>{' '}
      {texts.invitation.text({
        who: name ? <bdi>{name}</bdi> : texts.invitation.somebody,
        site: settings.siteName,
        email: <b>{email}</b>,
        until: <time dateTime={expire}>{until}</time>,
      })}
    </CardNotice>
  )
}

function SignedIn() {
  const { userData } = useViewer()
  return (
    <AccountCard title={texts.invitation.title} screen={texts.invitation.screen}>
      <p className="subtitle">
        {texts.invitation.signedInAs(<bdi>{userData?.name || userData?.email}</bdi>)}
      </p>
      <div className="row">
        <ButtonLink kind="primary" to="/dashboard">
          {texts.places.dashboard}
        </ButtonLink>
      </div>
    </AccountCard>
  )
}

/** Shown for a link that cannot be used. */
function Message({ title, text }: { title: string; text: string }) {
  return (
    <AccountCard title={title} screen={texts.invitation.screen}>
      <p className="subtitle" role="alert">
        {text}
      </p>
      <div className="row">
        <ButtonLink kind="primary" to="/login">
          {texts.signing.in}
        </ButtonLink>
        <ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>
      </div>
    </AccountCard>
  )
}
