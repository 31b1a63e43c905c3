// English texts. Choosing and uploading images.

export const files = {
  images: {
    wrongType: 'This file is not a PNG, JPG, JPEG or GIF.',
    unreadable: 'This image can not be read. Choose another one.',
    empty: 'This file is empty.',
  },
  imageField: {
    preview: (label: string) => `Preview: ${label}`,
    letGo: 'Let go to use this image',
    replace: 'Replace',
    remove: 'Remove',
  },
  uploads: {
    cancel: 'Cancel upload',
    heard: (label: string, percent: number) => `${label}: ${percent} percent`,
    progress: (sent: number, total: string) => `${sent} of ${total}`,
    size: {
      kilobytes: (count: number) => `${count} KB`,
      megabytes: (count: number) => `${count} MB`,
    },
  },
}
