// A file of the viewer in the settings: its name and size, its uses, and the button that deletes
// it.
import { ImageOff, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { FileUse, OwnFile } from '#contract/files.ts'
import { useApi } from '../api/client.ts'
import { previewOf } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { IconButton } from '../ui/button.tsx'
import { sizeText } from '../ui/format-bytes.ts'
import { Link } from '../ui/link.tsx'

const { ownFiles, fileUse } = texts
const THUMBNAIL = { width: 80, height: 60 }

type OwnFileItemProps = { file: OwnFile; isBusy: boolean; onDelete: () => void }

export function OwnFileItem({ file, isBusy, onDelete }: OwnFileItemProps) {
  const api = useApi()
  const id = useId()
  const canDelete = isDeletable(file)
  const reason = reasonOf(file)
  return (
    <li className="hoverable">
      <div className="thumbnail own-files__thumb">
        {file.isComplete ? (
          <img
            {...previewOf(api, file.bucketId, { fileId: file.$id, ...THUMBNAIL })}
            alt=""
            loading="lazy"
          />
        ) : (
          <ImageOff className="icon" aria-hidden="true" />
        )}
      </div>
      <div>
        <h4>{file.name}</h4>
        <p className="hint row facts">{factsOf(file)}</p>
        {!canDelete && (
          <p className="visually-hidden" id={id}>
            {reason}
          </p>
        )}
      </div>
      <IconButton
        className={canDelete ? 'own-files__delete' : ''}
        label={ownFiles.delete(file.name)}
        aria-haspopup={canDelete ? 'dialog' : undefined}
        aria-disabled={!canDelete || undefined}
        aria-describedby={canDelete ? undefined : id}
        title={canDelete ? undefined : reason}
        isBusy={isBusy}
        onClick={onDelete}
        Icon={Trash2}
      />
    </li>
  )
}

/** Why the file cannot be deleted. */
function reasonOf({ uses }: OwnFile): string {
  if (uses.some(({ place }) => place === 'cover' || place === 'body')) return ownFiles.inUse
  if (uses.some(({ place }) => place === 'avatar')) return ownFiles.inUseAsAvatar
  return ownFiles.inUseByDeleted
}

function factsOf(file: OwnFile): ReactNode {
  const [first] = file.uses
  const unusedText = file.isComplete ? ownFiles.inNoText : ownFiles.unfinished
  return (
    <>
      <span>{first ? placeText(first, file.uses) : unusedText}</span>
      <span>{sizeText(file.sizeOriginal)}</span>
      {first && isShown(first) && <span>{whereText(first, file.uses)}</span>}
      {!first && file.isComplete && <span className="chip">{ownFiles.usedNowhere}</span>}
    </>
  )
}

type ShownUse = Extract<FileUse, { place: 'cover' | 'body' | 'avatar' }>

/** Whether readers see this use now, unlike uses in versions and deleted posts. */
function isShown(use: FileUse): use is ShownUse {
  return use.place === 'avatar' || use.place === 'cover' || use.place === 'body'
}

function placeText(first: FileUse, uses: FileUse[]): ReactNode {
  if (isShown(first)) return fileUse[first.place]
  if (first.place === 'elsewhere') return ownFiles.elsewhere
  const others = uses.filter(({ place }) => place === first.place).length - 1
  const more = others > 0 && ` ${fileUse.morePosts(others)}`
  if (first.place === 'deleted')
    return (
      <>
        {fileUse.deleted(
          <Link className="link" to="/dashboard/deleted">
            {first.title}
          </Link>,
        )}
        {more}
      </>
    )
  return (
    <>
      {fileUse.version(
        <Link className="link" to={`/edit-post/${first.postId}/versions`}>
          {first.title}
        </Link>,
      )}
      {more}
    </>
  )
}

/** The place of the first use, and the number of other posts that use the file. */
function whereText(first: ShownUse, uses: FileUse[]): ReactNode {
  const posts = new Set(
    uses.flatMap((use) => (isShown(use) && 'postId' in use ? [use.postId] : [])),
  )
  if (!('postId' in first))
    return fileUse.inProfile(
      <Link className="link" to="/dashboard">
        {fileUse.profile}
      </Link>,
    )
  return (
    <>
      {fileUse.inPost(
        <Link className="link" to={`/post/${first.postId}`}>
          {first.title}
        </Link>,
      )}
      {posts.size > 1 && ` ${fileUse.morePosts(posts.size - 1)}`}
    </>
  )
}

/**
 * Whether a file can be deleted here: it is not used by the avatar, by a post of its owner, or by a
 * deleted post that can be restored.
 */
function isDeletable({ uses }: OwnFile): boolean {
  return uses.every(({ place }) => place === 'elsewhere' || place === 'version')
}
