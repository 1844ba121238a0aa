package main

import (
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

type kind struct {
	apiVersion string
	name       string
	object     any
}

var kinds = []kind{
	{"v1", "Namespace", corev1.Namespace{}},
	{"v1", "Pod", corev1.Pod{}},
	{"v1", "Service", corev1.Service{}},
	{"v1", "Endpoints", corev1.Endpoints{}},
	{"v1", "ConfigMap", corev1.ConfigMap{}},
	{"v1", "Secret", corev1.Secret{}},
	{"v1", "Event", corev1.Event{}},
	{"v1", "ServiceAccount", corev1.ServiceAccount{}},
	{"v1", "PodTemplate", corev1.PodTemplate{}},
	{"v1", "Status", metav1.Status{}},
	{"apps/v1", "Deployment", appsv1.Deployment{}},
	{"apps/v1", "ReplicaSet", appsv1.ReplicaSet{}},
	{"batch/v1", "Job", batchv1.Job{}},
	{"discovery.k8s.io/v1", "EndpointSlice", discoveryv1.EndpointSlice{}},
	{"coordination.k8s.io/v1", "Lease", coordinationv1.Lease{}},
	{"networking.k8s.io/v1", "Ingress", networkingv1.Ingress{}},
	{"events.k8s.io/v1", "Event", eventsv1.Event{}},
	{"autoscaling/v1", "Scale", autoscalingv1.Scale{}},
	{"authorization.k8s.io/v1", "SelfSubjectAccessReview", authorizationv1.SelfSubjectAccessReview{}},
	{"authorization.k8s.io/v1", "SelfSubjectRulesReview", authorizationv1.SelfSubjectRulesReview{}},
	{"authentication.k8s.io/v1", "SelfSubjectReview", authenticationv1.SelfSubjectReview{}},
	{"apiextensions.k8s.io/v1", "CustomResourceDefinition", apiextensionsv1.CustomResourceDefinition{}},
	{gatewayGroupVersion, "Gateway", gatewayv1.Gateway{}},
	{gatewayGroupVersion, "HTTPRoute", gatewayv1.HTTPRoute{}},
}

// Types that no kind above reaches and the server needs.
var extraTypes = []any{
	metav1.ListMeta{},
	metav1.DeleteOptions{},
	metav1.LabelSelector{},
}
