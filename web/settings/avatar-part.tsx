// The user's avatar, with the form that changes it: on the dashboard and in the settings.
import { Camera, Download } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Account } from '#contract/accounts.ts'
import { AVATAR_SIDE_PIXELS } from '#contract/limits.ts'
import { avatarIdOf, useAvatar } from '../accounts/avatar-url.ts'
import { useApi } from '../api/client.ts'
import { downloadPath } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { useObjectUrl } from '../ui/use-object-url.ts'
import { AvatarForm } from './avatar-form.tsx'

type AvatarPartProps = {
  account: Account
  isChanging: boolean
  setChanging: (isChanging: boolean) => void
  /** Called when the new avatar is stored and its message has been shown. */
  onChanged: () => void
  /** Beside the buttons. */
  extra?: ReactNode
  /** Below the avatar. */
  children?: ReactNode
}

export function AvatarPart(props: AvatarPartProps) {
  const { account, isChanging, setChanging, onChanged, extra, children } = props
  const api = useApi()
  const [isBusy, setBusy] = useState(false)
  const [newFile, setNewFile] = useState<File | undefined>()
  const toggle = useRef<HTMLButtonElement>(null)
  const avatar = avatarIdOf(account.prefs)

  function close() {
    flushSync(() => {
      setChanging(false)
      setNewFile(undefined)
    })
    toggle.current?.focus()
  }
  function handleChanged() {
    close()
    onChanged()
  }
  return (
    <>
      <Avatar account={account} newFile={newFile} isBusy={isBusy} />
      {children}
      {isChanging ? (
        <AvatarForm
          onChoose={setNewFile}
          onBusy={setBusy}
          onCancel={close}
          onChanged={handleChanged}
        />
      ) : (
        <div className="row">
          <Button
            ref={toggle}
            aria-expanded={false}
            onClick={() => setChanging(true)}
            Icon={Camera}
          >
            {texts.profile.change}
          </Button>
          {avatar && (
            <a
              className={buttonClass('ghost')}
              href={downloadPath(api, api.settings.avatarBucketId, avatar)}
              download
              aria-label={texts.avatarDownload.label}
            >
              <Download className="icon" aria-hidden="true" />
              {texts.avatarDownload.button}
            </a>
          )}
          {extra}
        </div>
      )}
    </>
  )
}

type AvatarProps = { account: Account; newFile: File | undefined; isBusy: boolean }

function Avatar({ account, newFile, isBusy }: AvatarProps) {
  const preview = useObjectUrl(newFile)
  const { src, onError } = useAvatar(account.name, avatarIdOf(account.prefs), AVATAR_SIDE_PIXELS)
  return (
    <div className={isBusy ? 'avatar-frame is-busy' : 'avatar-frame'}>
      <img
        src={preview ?? src}
        alt={preview ? texts.profile.preview : texts.profile.avatar}
        width={AVATAR_SIDE_PIXELS}
        height={AVATAR_SIDE_PIXELS}
        onError={onError}
      />
    </div>
  )
}
