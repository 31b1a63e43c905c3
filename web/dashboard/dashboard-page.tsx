// /dashboard: the welcome, the avatar and the viewer's posts; for readers, likes and comments.
import './dashboard-sheets.css'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Account } from '#contract/accounts.ts'
import { EmailState, VerificationLine } from '../accounts/email-verification.tsx'
import { useIsReader, useViewer } from '../accounts/viewer.tsx'
import { useInitialData } from '../api/initial-data.ts'
import { texts } from '../locales/texts.ts'
import { AvatarPart } from '../settings/avatar-part.tsx'
import { useSignOut } from '../shell/menus.tsx'
import { Button } from '../ui/button.tsx'
import { PageTitle } from '../ui/screens.tsx'
import { DraftsList } from './drafts-list.tsx'
import { NoPostsYet, OwnPostsList, useOwnPosts } from './own-posts.tsx'
import { LikedPosts, OwnComments, useReaderList } from './reader-lists.tsx'
import { type InitialReaderDashboard, loadComments, loadLikes } from './reader-loader.ts'
import { useReads } from './reads-part.tsx'
import { useDrafts } from './use-drafts.ts'

export function DashboardPage() {
  const { userData } = useViewer()
  const isReader = useIsReader()
  return (
    <>
      <PageTitle screen={texts.places.dashboard} />
      {/* The key gives another user a fresh dashboard. */}
      {userData && !isReader && <Dashboard key={userData.$id} account={userData} />}
      {userData && isReader && <ReaderDashboard key={userData.$id} account={userData} />}
    </>
  )
}

function Dashboard({ account }: { account: Account }) {
  const ownPosts = useOwnPosts(account.$id)
  const drafts = useDrafts(account.$id)
  const reads = useReads(account.$id)
  const [isChangingAvatar, setChangingAvatar] = useState(false)
  const { state } = ownPosts
  const hasNoDrafts = drafts.rows?.length === 0 && drafts.scheduled.length === 0
  const isNew = state?.total === 0 && state.isLast && hasNoDrafts
  return (
    <div className={drafts.isCollecting ? 'stack dashboard is-gathering' : 'stack dashboard'}>
      <div className="dashboard__greeting">
        <h1 className="screen-title">
          {texts.welcome(<bdi>{account.name || account.email}</bdi>)}
        </h1>
        {state && (
          <p className="subtitle">
            {texts.ownPosts.count({
              active: state.total,
              drafts: drafts.total,
              scheduled: drafts.scheduled.length,
            })}
          </p>
        )}
        <VerificationLine />
      </div>
      {!isNew && <DraftsList drafts={drafts} ownPosts={state?.posts} isQuiet={isChangingAvatar} />}
      <Profile account={account} isChanging={isChangingAvatar} setChanging={setChangingAvatar} />
      {isNew ? (
        <NoPostsYet deletions={drafts.deletions} isQuiet={isChangingAvatar} />
      ) : (
        <OwnPostsList
          list={ownPosts}
          userId={account.$id}
          reads={reads}
          deletions={drafts.deletions}
        />
      )}
    </div>
  )
}

/** The dashboard of an account that cannot write. */
function ReaderDashboard({ account }: { account: Account }) {
  const userId = account.$id
  const result = useInitialData<InitialReaderDashboard>(userId)
  const initial = result?.ok ? result.value : undefined
  const likes = useReaderList('likes', userId, { initial: initial?.likes, load: loadLikes })
  const comments = useReaderList('comments', userId, {
    initial: initial?.comments,
    load: loadComments,
  })
  const [isChangingAvatar, setChangingAvatar] = useState(false)
  return (
    <div className="stack dashboard dashboard--reader">
      <div className="dashboard__greeting">
        <h1 className="screen-title">
          {texts.welcome(<bdi>{account.name || account.email}</bdi>)}
        </h1>
        {likes.page && comments.page && (
          <p className="subtitle">
            {texts.readerDashboard.count(likes.page.total, comments.page.total)}
          </p>
        )}
        <VerificationLine />
      </div>
      <LikedPosts list={likes} userId={userId} />
      <OwnComments list={comments} />
      <Profile account={account} isChanging={isChangingAvatar} setChanging={setChangingAvatar} />
    </div>
  )
}

type ProfileProps = {
  account: Account
  isChanging: boolean
  setChanging: (isChanging: boolean) => void
}

function Profile({ account, isChanging, setChanging }: ProfileProps) {
  const navigate = useNavigate()
  return (
    <section className="stack dashboard__profile" aria-label={texts.profile.label}>
      <AvatarPart
        account={account}
        isChanging={isChanging}
        setChanging={setChanging}
        onChanged={() => void navigate('/dispatch')}
        extra={<SignOutButton />}
      >
        <div className="quiet user-id">
          <span>{account.email}</span>
          <EmailState isVerified={account.emailVerification} />
        </div>
      </AvatarPart>
    </section>
  )
}

function SignOutButton() {
  const { isBusy, signOut } = useSignOut()
  return (
    <Button
      kind="ghost"
      isBusy={isBusy}
      busyLabel={texts.signing.signingOut}
      onClick={signOut}
      Icon={LogOut}
    >
      <span>
        {texts.signing.out} <small>{texts.accountMenu.allDevices}</small>
      </span>
    </Button>
  )
}
