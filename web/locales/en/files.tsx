// English texts. Choosing and uploading images, and the list of the user's files.
import type { ReactNode } from 'react'

/** "Converted to JPEG, scaled down to 2400 px" */
function changeText({ format, longSidePixels }: ImageChange): string {
  const turned = format ? `Converted to ${format}` : ''
  const scaled = longSidePixels ? `scaled down to ${longSidePixels} px` : ''
  return [turned, turned ? scaled : scaled.replace(/^s/, 'S')].filter(Boolean).join(', ')
}

type ImageChange = { format?: string; longSidePixels?: number }

export const files = {
  images: {
    wrongType: 'This file is not a PNG, JPG, JPEG or GIF.',
    unreadable: 'This image cannot be read. Choose another one.',
    empty: 'This file is empty.',
    types: {
      png: 'PNG',
      jpeg: 'JPEG',
      gif: 'GIF',
      webp: 'WebP',
      avif: 'AVIF',
      heic: 'HEIC',
      bmp: 'BMP',
      tiff: 'TIFF',
      jxl: 'JPEG XL',
      ico: 'ICO',
      svg: 'SVG',
    },
    cannotOpen: (type: string) =>
      `This browser cannot open ${type} pictures. Choose a PNG, JPG, JPEG or GIF.`,
    change: changeText,
    changed: (change: ImageChange) => `${changeText(change)}.`,
  },
  imageField: {
    preview: (label: string) => `Preview: ${label}`,
    drop: 'Drop to use this image',
    generate: 'Generate from title',
    generated: 'Generated from title',
    nextColor: 'Next colour',
    size: ({ width, height }: { width: number; height: number }) => `${width} × ${height}`,
    replace: 'Replace',
    remove: 'Remove',
  },
  uploads: {
    cancel: 'Cancel upload',
    cancelled: 'The upload was cancelled.',
    announced: (label: string, percent: number) => `${label}: ${percent} percent`,
    progress: (sent: number, total: string) => `${sent} of ${total}`,
    size: {
      kilobytes: (count: number) => `${count} KB`,
      megabytes: (count: number) => `${count} MB`,
    },
  },
  largeSizes: { gigabytes: (size: string) => `${size} GB` },
  ownFiles: {
    title: 'Your files',
    text: 'Pictures you uploaded. A file in use can be deleted after it left its post.',
    loading: 'Loading',
    meter: 'Space used',
    used: (used: string, most: string) => `${used} of ${most}`,
    percent: (percent: number) => `${percent} %`,
    almostFull: (most: string) =>
      `Almost full. New pictures are refused at ${most}; texts still save.`,
    none: 'No files yet. Pictures of your posts and your avatar will appear here.',
    noneUnused: 'Every file is used somewhere.',
    count: (count: number) => (count === 1 ? '1 file' : `${count} files`),
    filter: 'Which files',
    all: 'All',
    unused: (count: number) => `Unused (${count})`,
    more: (count: number) => `Show ${count} more`,
    delete: (name: string) => `Delete ${name}`,
    inUse: 'In use. Take it out of the post first.',
    inUseAsAvatar: 'In use. Choose another avatar first.',
    inUseByDeleted: 'In use. Restore the deleted post or delete it permanently first.',
    question: 'Delete this file?',
    warning: (name: string) => `${name} is permanently deleted.`,
    warningVersion: (name: string) =>
      `${name} is permanently deleted. Earlier versions that show it lose it.`,
    keep: 'Keep it',
    confirm: 'Delete',
    deleted: 'The file is deleted.',
    notDeleted: 'The file was not deleted. Try again.',
    deleteUnused: 'Delete unused files',
    questionUnused: (count: number) => (count === 1 ? 'Delete 1 file?' : `Delete ${count} files?`),
    warningUnused:
      'All files that no post and no avatar shows are permanently deleted. Pictures in texts you have not saved are uploaded again when you save them on this device.',
    deletedMany: (count: number) =>
      count === 1 ? '1 file is deleted.' : `${count} files are deleted.`,
    unfinished: 'Upload not finished',
    inNoText: 'In no text',
    usedNowhere: 'unused',
    elsewhere: 'In a post of somebody else',
  },
  fileUse: {
    cover: 'Featured image',
    body: 'In the text',
    avatar: 'Avatar',
    inPost: (post: ReactNode) => <>in {post}</>,
    inProfile: (profile: ReactNode) => <>in {profile}</>,
    profile: 'your profile',
    version: (post: ReactNode) => <>An earlier version of {post}</>,
    deleted: (post: ReactNode) => <>A deleted post, {post}</>,
    morePosts: (count: number) => `and ${count} more`,
  },
}
