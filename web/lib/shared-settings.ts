/** The settings that every page sends to the browser. Names only: their schemas stay on the server. */
import type { Settings } from '#contract/settings.ts'

/** Settings that every document needs. Texts of one page (hero, mission...) come from that page's own loader. */
// biome-ignore format: a line for each topic
export const EVERYWHERE = [
  'business_name', 'tagline', 'languages', 'navbar_logo', 'favicon', 'social_media_image', 'domain', 'location',
  'certification_link', 'email', 'whatsapp', 'whatsapp_widget', 'facebook', 'instagram', 'tiktok',
  'primary', 'accent', 'dark', 'gray', 'light', 'primary-light', 'theme_mode', 'theme_shape', 'theme_voice',
  'banner_enabled', 'banner_text', 'banner_link', 'bg_login', 'bg_recovery', 'bg_loading',
  'popup_presencial_enabled', 'popup_presencial_src', 'popup_presencial_link',
  'about_enabled', 'schedule_enabled', 'packages_enabled', 'class_packages_name', 'class_packages_path',
  'firebaseConfig', 'google_sign_in', 'discounts_enabled', 'checkout_disabled', 'checkout_redirect_url', 'signup_fee',
  'subscriptions_enabled', 'subscription_cancel_reason_required',
  'single_class_enabled', 'videos_enabled', 'allow_class_guests', 'allow_restricted_class_types', 'allow_restricted_times',
  'undo_minutes', 'waitlist_enabled', 'waitlist_mode', 'waitlist_offer_minutes', 'unlimited_max_no_shows_for_penalty',
  'unlimited_membership_penalties_enabled', 'signup_form_id', 'profile_form_id', 'profile_required_to_reserve', 'password_min_length',
] as const satisfies readonly (keyof Settings)[]

export type SharedSettings = Pick<Settings, (typeof EVERYWHERE)[number]>
